// Moonshine in a process of its own: onnxruntime computes on the thread that asks, and a thread that is ended meanwhile
// takes its process along. Plain JavaScript, because Node 20 starts nothing from TypeScript.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// It ends with the process that asks, not with a signal to both.
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
/** English has about four tokens a second; a decoder that goes round in circles stops here. */
const tokensPerSecond = 6.5;
const [heads, headSize] = [8, 36];

const options = { intraOpNumThreads: 1, interOpNumThreads: 1 };
const encoder = await InferenceSession.create(join(folder, 'encoder_model.ort'), options);
showLife();
const decoder = await InferenceSession.create(join(folder, 'decoder_model_merged.ort'), options);
showLife();
const tokens = readTokens(readFileSync(join(folder, 'tokenizer.bin')));

// The promises of two questions would mingle, but a question comes only when the one before is answered.
process.on('message', ({ samples }) => {
  transcribe(samples).then(
    (answer) => process.send({ answer }),
    () => process.send({ fault: 'Moonshine could not understand a piece of audio.' }),
  );
});

/** The words, and how sure the decoder was of them on average, as a probability. */
async function transcribe(samples) {
  const { last_hidden_state: encoded } = await encoder.run({
    input_values: new Tensor('float32', samples, [1, samples.length]),
    attention_mask: ones(samples.length),
  });
  // As long as the audio: the decoder thins it out itself.
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
      // What the decoder keeps of the encoder is right after the first token, and empty afterwards.
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

/** A length of one byte, or of two from 128 on, and then so many bytes of text. */
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
