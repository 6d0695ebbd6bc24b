import { defineConfig } from 'roomflow';
import { ScriptedModel } from 'roomflow/testing';

// Answers by rules, so that the lesson needs no key. { llm: 'openai' } uses a real model.
export default defineConfig({
  models: { llm: () => new ScriptedModel({ '*': [{ when: /flat|broken/, text: 'repair' }, { text: 'order' }] }) },
});
