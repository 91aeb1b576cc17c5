// Measures the levels of audio where it is played: the samples themselves go nowhere.

const floor = -120;
const decibels = value => Math.max(floor, 20 * Math.log10(value));

class Levels extends AudioWorkletProcessor {
  constructor({ processorOptions: { rate } }) {
    super();
    this.length = sampleRate / rate;
    this.begin();
    this.due = this.length;
    this.frames = 0;
  }

  begin() {
    [this.peak, this.sum, this.count] = [0, 0, 0];
  }

  process([channels]) {
    const length = channels[0]?.length ?? 0;
    for (let i = 0; i < length; i += 1) {
      for (const channel of channels) {
        const value = channel[i];
        this.peak = Math.max(this.peak, Math.abs(value));
        this.sum += value * value;
      }
      this.count += channels.length;
      this.frames += 1;
      if (this.frames < this.due) continue;
      this.due += this.length;
      this.port.postMessage({ time: currentTime + i / sampleRate, levels: [decibels(this.peak), decibels(Math.sqrt(this.sum / this.count))] });
      this.begin();
    }
    return true;
  }
}

registerProcessor('levels', Levels);
