// Flite in its own thread, because a sentence takes 30 to 90 ms. Plain JavaScript, because Node 20 cannot start a
// TypeScript thread. It does not use node:wasi, which crashed the process within a hundred sentences.
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

const showLife = () => parentPort.postMessage({});
showLife();
const { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } = await import(workerData.shim);
const flite = new WebAssembly.Module(readFileSync(workerData.flite));
showLife();

parentPort.on('message', ({ text, voice, pace }) => {
  try {
    const samples = synthesise(text, voice, pace);
    parentPort.postMessage({ answer: samples }, [samples]);
  } catch {
    // The reason may quote the text.
    parentPort.postMessage({ fault: 'Flite could not speak a sentence.' });
  }
});

/** Returns an ArrayBuffer of 16-bit samples. */
function synthesise(text, voice, pace) {
  const folder = new PreopenDirectory('.', new Map());
  const silent = () => ConsoleStdout.lineBuffered(() => {});
  // The leading blank distinguishes a text from a file name.
  const args = ['flite', '-voice', voice, '--setf', `duration_stretch=${1 / pace}`, ` ${text} `, 'speech.wav'];
  const wasi = new WASI(args, [], [new OpenFile(new File([])), silent(), silent(), folder], { debug: false });
  const instance = new WebAssembly.Instance(flite, { wasi_snapshot_preview1: wasi.wasiImport });
  const code = wasi.start(instance);
  const wave = folder.dir.contents.get('speech.wav')?.data;
  const headerBytes = 44;
  if (wave === undefined || wave.length < headerBytes) throw new Error(`exit code ${code}`);
  return wave.slice(headerBytes, wave.length - (wave.length % 2)).buffer;
}
