// Flite in a thread of its own: it computes for 30 to 90 ms a sentence. Plain JavaScript, because Node 20 starts no thread
// from TypeScript. Not over node:wasi, which crashed the whole process within a hundred sentences.
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
    // The reason may quote what was to be said.
    parentPort.postMessage({ fault: 'Flite could not speak a sentence.' });
  }
});

/** An ArrayBuffer of 16-bit samples. */
function synthesise(text, voice, pace) {
  const folder = new PreopenDirectory('.', new Map());
  const silent = () => ConsoleStdout.lineBuffered(() => {});
  // The blank in front tells a text from the name of a file.
  const args = ['flite', '-voice', voice, '--setf', `duration_stretch=${1 / pace}`, ` ${text} `, 'speech.wav'];
  const wasi = new WASI(args, [], [new OpenFile(new File([])), silent(), silent(), folder], { debug: false });
  const instance = new WebAssembly.Instance(flite, { wasi_snapshot_preview1: wasi.wasiImport });
  const code = wasi.start(instance);
  const wave = folder.dir.contents.get('speech.wav')?.data;
  const headerBytes = 44;
  if (wave === undefined || wave.length < headerBytes) throw new Error(`exit code ${code}`);
  return wave.slice(headerBytes, wave.length - (wave.length % 2)).buffer;
}
