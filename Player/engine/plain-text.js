/**
 * A text of a story without its markup, as Swift's `RichText.plain` has it: a line for each paragraph. Items of lists begin
 * with their number or a bullet; the address of a link follows its words in parentheses, unless they are the address.
 */
export function plainText(text) {
  return typeof text === 'string' ? text : text.map(plainBlock).join('\n');
}

function plainBlock({ type, of, start, items }) {
  switch (type) {
  case 'paragraph': return of.map(plainPart).join('');
  case 'quote': return plainText(of);
  default:
    return items.map((blocks, index) => (start === undefined ? '• ' : `${start + index}. `) + plainText(blocks)).join('\n');
  }
}

function plainPart(part) {
  if (typeof part === 'string') return part;
  const words = part.of.map(plainPart).join('');
  const isAddress = part.type !== 'link' || ['', 'mailto:', 'tel:'].some(scheme => part.href === scheme + words);
  return isAddress ? words : `${words} (${part.href})`;
}
