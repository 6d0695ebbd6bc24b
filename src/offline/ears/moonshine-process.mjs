// Moonshine in its own process: onnxruntime computes on the calling thread, and ending that thread would end its
// process. Plain JavaScript, because Node 20 cannot start TypeScript.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// This process ends with its parent, not by a signal to both.
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

const showLife = () => process.send({});
showLife();

const [, , onnxruntime, folder] = process.argv;
const { InferenceSession, Tensor } = createRequire(import.meta.url)(onnxruntime);
showLife();

const sampleRate = 16_000;
const firstToken = 1;
const lastToken = 2;
/** English has about four tokens per second; this limit stops a decoder in a loop. */
const tokensPerSecond = 6.5;
const [heads, headSize] = [8, 36];

const options = { intraOpNumThreads: 1, interOpNumThreads: 1 };
const encoder = await InferenceSession.create(join(folder, 'encoder_model.ort'), options);
showLife();
const decoder = await InferenceSession.create(join(folder, 'decoder_model_merged.ort'), options);
showLife();
const tokens = readTokens(readFileSync(join(folder, 'tokenizer.bin')));

// Requests do not overlap: the next one comes after the answer.
process.on('message', ({ samples }) => {
  transcribe(samples).then(
    (answer) => process.send({ answer }),
    () => process.send({ fault: 'Moonshine could not understand a piece of audio.' }),
  );
});

/** Returns the words and the decoder's average certainty, as a probability. */
async function transcribe(samples) {
  const { last_hidden_state: encoded } = await encoder.run({
    input_values: new Tensor('float32', samples, [1, samples.length]),
    attention_mask: ones(samples.length),
  });
  // The mask has the length of the audio; the decoder downsamples it itself.
  const mask = decoder.inputNames.includes('encoder_attention_mask')
    ? { encoder_attention_mask: ones(samples.length) }
    : {};
  const past = {};
  for (const name of decoder.inputNames)
    if (name.startsWith('past_')) past[name] = new Tensor('float32', new Float32Array(0), [0, heads, 1, headSize]);

  const found = [];
  let logProbability = 0;
  const limit = Math.max(6, Math.ceil((samples.length / sampleRate) * tokensPerSecond));
  for (let token = firstToken; found.length < limit; found.push(token)) {
    showLife();
    const isFirst = found.length === 0;
    const result = await decoder.run({
      input_ids: new Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
      encoder_hidden_states: encoded,
      use_cache_branch: new Tensor('bool', Uint8Array.of(isFirst ? 0 : 1), [1]),
      ...mask,
      ...past,
    });
    const best = likeliest(result.logits);
    for (const [name, value] of Object.entries(result))
      // The encoder cache is valid after the first token and empty afterwards.
      if (name.startsWith('present') && (isFirst || name.includes('.decoder.')))
        past[name.replace('present', 'past_key_values')] = value;
    logProbability += best.logProbability;
    token = best.token;
    if (token === lastToken) break;
  }
  const text = Buffer.concat(found.map((token) => tokens[token] ?? Buffer.alloc(0))).toString('utf8');
  return {
    text: text.replaceAll('\u2581', ' ').trim(),
    certainty: Math.exp(logProbability / (found.length + 1)),
  };
}

function likeliest(logits) {
  const size = logits.dims[2];
  const scores = logits.data.subarray(logits.data.length - size);
  let token = 0;
  for (let at = 1; at < size; at += 1) if (scores[at] > scores[token]) token = at;
  let sum = 0;
  for (let at = 0; at < size; at += 1) sum += Math.exp(scores[at] - scores[token]);
  return { token, logProbability: -Math.log(sum) };
}

function ones(length) {
  return new Tensor('int64', new BigInt64Array(length).fill(1n), [1, length]);
}

/** Each entry has a length of one byte, or two bytes from 128 on, followed by the text. */
function readTokens(file) {
  const found = [];
  for (let at = 0; at < file.length;) {
    let length = file[at];
    at += 1;
    if (length >= 128) {
      length = file[at] * 128 + length - 128;
      at += 1;
    }
    found.push(file.subarray(at, at + length));
    at += length;
  }
  return found;
}
