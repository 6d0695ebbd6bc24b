import { defineConfig } from 'roomflow';
import { ScriptedModel } from 'roomflow/testing';

/** Answers by rules with a delay, so that the example needs no key. { llm: 'openai' } uses a real model. */
function answer({ instructions, userText }: { readonly instructions: string; readonly userText: string }) {
  if (instructions.includes('feels')) return { text: /!|again/.test(userText) ? 'upset' : 'calm', delayMs: 200 };
  if (instructions.includes('about'))
    return { text: /charged|invoice/.test(userText) ? 'billing' : 'bug', delayMs: 500 };
  return { text: 'Customer was charged twice.', delayMs: 700, wordMs: 50 };
}

export default defineConfig({ models: { llm: () => new ScriptedModel(answer) } });
