import { defineConfig } from 'roomflow';
import { ScriptedModel } from 'roomflow/testing';

// Answers by rules, so that the lesson needs no key; { llm: 'openai' } asks a real model the same.
export default defineConfig({
  models: { llm: () => new ScriptedModel({ '*': [{ when: /flat|broken/, text: 'repair' }, { text: 'order' }] }) },
});
