// Questions one after the other, and the score. The first answer counts.

import { authored, element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { opening } from '../components/opening.js';
import { picture } from '../components/picture.js';
import { speak } from '../components/notices.js';
import { say } from '../components/words.js';

export function show(content, event, session) {
  const node = element('div.quiz');
  let current = nextQuestion(-1);

  function score(index) {
    return session.scores.find(score => score.event === event.id && score.question === index);
  }

  /** Returns the first unanswered question after an index; undefined if there is none. */
  function nextQuestion(after) {
    const index = content.questions.findIndex((_, index) => index > after && !score(index));
    return index < 0 ? undefined : index;
  }

  function draw(takesFocus = true) {
    node.replaceChildren(current === undefined ? result() : ask(current));
    if (takesFocus) node.querySelector('h2')?.focus();
  }

  function ask(index) {
    const question = content.questions[index];
    const given = score(index);
    const isSingle = question.choices.filter(choice => choice.isCorrect).length === 1;
    const choices = question.choices.map((choice, number) => {
      const input = element('input', {
        type: isSingle ? 'radio' : 'checkbox', name: `question-${index}`, value: number, disabled: Boolean(given),
        checked: given?.choices.includes(number),
      });
      const state = given && (choice.isCorrect ? 'right' : given.choices.includes(number) ? 'wrong' : null);
      return element('label.choice', { 'data-state': state }, input,
        element('span', session.own(choice, 'text'), choice.text),
        state && element('span.verdict', {}, icon(state === 'right' ? 'check' : 'cross'), element('span.spoken', {}, say(`quiz.${state}`))));
    });
    const { words, rest } = opening(question.text, session.own(question, 'text'));
    const points = question.points;
    const missing = element('p.result', { 'data-state': 'wrong', hidden: true }, icon('hint'), say('quiz.choose'));
    return element('form', {
      onsubmit(submitted) {
        submitted.preventDefault();
        if (given) {
          current = nextQuestion(index);
          return draw();
        }
        const chosen = [...new FormData(submitted.target).getAll(`question-${index}`)].map(Number);
        if (chosen.length === 0) {
          missing.hidden = false;
          return speak(say('quiz.choose'));
        }
        const outcomes = session.takeNow('quiz', { event: event.id, question: index, choices: chosen });
        const outcome = outcomes.find(({ outcome }) => outcome === 'quiz-answered');
        draw(false);
        speak(say(outcome?.correct ? 'quiz.correct' : 'quiz.incorrect', { count: outcome?.points ?? 0 }));
        node.querySelector('button')?.focus();
      },
    },
    element('p.label', {}, say('quiz.number', { number: index + 1, count: content.questions.length }), ' · ', say('quiz.points', { count: points })),
    element('fieldset', {},
      element('legend', {}, element('h2', { tabindex: -1, ...session.own(question, 'text') }, words)),
      rest,
      picture(session.media, question.image),
      choices),
    given && element('p.result', { 'data-state': given.points > 0 ? 'right' : 'wrong' },
      icon(given.points > 0 ? 'check' : 'cross'), say(given.points > 0 ? 'quiz.correct' : 'quiz.incorrect', { count: given.points })),
    missing,
    element('button.primary', { type: 'submit' }, say(given ? 'quiz.next' : 'quiz.submit')));
  }

  function result() {
    const scores = content.questions.map((_, index) => score(index));
    const points = scores.reduce((sum, score) => sum + (score?.points ?? 0), 0);
    const most = content.questions.reduce((sum, question) => sum + question.points, 0);
    return element('section.score', {},
      element('h2', { tabindex: -1 }, say('quiz.score')),
      element('p.total', {}, element('strong', {}, say('quiz.of', { points, most }))),
      element('ol', { role: 'list' }, content.questions.map((question, index) => answered(question, scores[index].points))));
  }

  /** Returns an answered question with its correct choices and its points. */
  function answered(question, points) {
    const state = points > 0 ? 'right' : 'wrong';
    const correct = question.choices.filter(choice => choice.isCorrect)
      .map((choice, index) => [index > 0 && ', ', element('span', { lang: session.own(choice, 'text').lang }, choice.text)]);
    return element('li', { 'data-state': state },
      icon(state === 'right' ? 'check' : 'cross'),
      element('div.words', {},
        authored(question.text, session.own(question, 'text')),
        element('p', { dir: 'auto' }, correct)),
      element('span', {}, say('quiz.points', { count: points })));
  }

  draw(false);
  return { node };
}
