import { defineConfig } from 'roomflow';
import { ScriptedModel } from 'roomflow/testing';

const folder = 'examples/lessons/14-conversation';

// Calls the function with what looks like a number; { llm: 'openai' } asks a real model.
function answer({ userText }: { readonly userText: string }) {
  const member = /M-\d+/.exec(userText)?.[0];
  return member === undefined
    ? { text: 'The number begins with M.' }
    : { calls: [{ name: 'check_member', arguments: { member } }] };
}

export default defineConfig({
  initialFlow: 'member-desk',
  flows: { 'member-desk': `${folder}/flow.yaml`, eligibility: `${folder}/eligibility.yaml` },
  models: { llm: () => new ScriptedModel(answer) },
});
