import { defineConfig } from 'roomflow';
import { ScriptedModel } from 'roomflow/testing';

// Calls the function with the text that looks like a number. { llm: 'openai' } uses a real model.
function answer({ userText }: { readonly userText: string }) {
  const member = /M-\d+/.exec(userText)?.[0];
  return member === undefined
    ? { text: 'The number begins with M.' }
    : { calls: [{ name: 'check_member', arguments: { member } }] };
}

export default defineConfig({
  initialFlow: 'member-desk',
  flows: { 'member-desk': 'flow.yaml', eligibility: 'eligibility.yaml' },
  models: { llm: () => new ScriptedModel(answer) },
});
