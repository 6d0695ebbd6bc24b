import { defineCommand } from 'citty';
import { FlowError } from '../../model/errors.ts';
import { fetchWeights } from '../../offline/ears/fetch-weights.ts';
import { weightsFolder, weightsSize } from '../../offline/ears/weights.ts';
import { complain, print } from '../output.ts';

export const setupSpeechCommand = defineCommand({
  async run() {
    try {
      const outcome = await fetchWeights({ onProgress: showProgress() });
      print(`Weights of offline speech recognition: ${outcome}, in ${weightsFolder()}.`);
    } catch (error) {
      if (!(error instanceof FlowError)) throw error;
      complain(error.message);
      process.exitCode = 1;
    }
  },
});

/** Shows the progress in one line that is overwritten; only on a terminal. */
function showProgress(): (bytes: number, total: number) => void {
  const { stderr } = process;
  if (!stderr.isTTY) return () => undefined;
  let shown = -1;
  return (bytes, total) => {
    const percent = Math.floor((bytes / total) * 100);
    if (percent === shown) return;
    shown = percent;
    // In percent, because the archive is larger than the weights in it.
    stderr.write(`\rFetching ${weightsSize}: ${percent} %${percent === 100 ? '\n' : ''}`);
  };
}
