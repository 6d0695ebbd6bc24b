import type { Shape } from '../../document/problems/schema-shape.ts';

/**
 * Returns our name in camelCase for a key that other formats, and people, name differently. Of several names, the first
 * that is known in its place is used.
 */
export function usualKey(key: string, known: ReadonlySet<string>): string | undefined {
  return keys.get(key.toLowerCase())?.find((name) => known.has(name));
}

/** Returns our word for a word of another format, among the words that are allowed in its place. */
export function usualWord(word: string, words: readonly string[]): string | undefined {
  return wordNames.get(word.toLowerCase())?.find((name) => words.includes(name));
}

/** Advice for a key that has no counterpart here, because the same is expressed differently. */
export function usualRemedy(title: string | undefined, key: string): string | undefined {
  if (/^\/\/|^\/\*/.test(key)) return 'A comment begins with "#".';
  if (/^\w+:\S/.test(key)) return 'Write a space after ":".';
  return remedies.get(`${title ?? ''} ${key.toLowerCase()}`);
}

/** An example of a part in the author's spelling. Undefined if it would not help. */
export function usualForm({ title }: Shape, style: 'snake' | 'camel'): string | undefined {
  const form = title === undefined ? undefined : forms.get(title);
  return style === 'camel' ? form?.replace('transition_to', 'transitionTo') : form;
}

const keys: ReadonlyMap<string, readonly string[]> = new Map([
  ['version', ['schemaVersion']],
  ['min', ['minimum']],
  ['max', ['maximum']],
  ['regex', ['pattern']],
  ['next', ['defaultTransition', 'transitionTo']],
  ['goto', ['defaultTransition', 'transitionTo']],
  ['then', ['defaultTransition', 'transitionTo', 'to']],
  ['next_node', ['transitionTo', 'defaultTransition']],
  ['next_node_id', ['transitionTo', 'defaultTransition']],
  ['target', ['transitionTo', 'to']],
  ['source', ['from']],
  ['retries', ['retry', 'ladder']],
  ['timeout', ['timeoutMs', 'replyTimeoutMs']],
  ['tools', ['functions']],
  ['transitions', ['functions', 'edges']],
  ['params', ['parameters']],
  ['args', ['parameters']],
  ['arguments', ['parameters']],
  ['variables', ['state', 'slots']],
  ['vars', ['state', 'slots']],
  ['fields', ['collect', 'slots']],
  ['start', ['initialNode']],
  ['start_node', ['initialNode']],
  ['start_node_id', ['initialNode']],
  ['entry', ['initialNode']],
  ['question', ['ask']],
  ['desc', ['description']],
  ['condition', ['when']],
  ['if', ['when']],
  ['static_text', ['say']],
  ['text', ['say', 'ask']],
  ['speak', ['say']],
  ['message', ['say']],
  ['instruction', ['taskMessages']],
  ['instructions', ['taskMessages']],
  ['messages', ['taskMessages']],
  ['system_prompt', ['roleMessages']],
  ['persona', ['roleMessages']],
  ['final', ['end']],
  ['on_failure', ['onError']],
  ['options', ['values']],
  ['choices', ['values']],
  ['variable', ['var']],
  ['slot', ['var']],
  ['gt', ['greater']],
  ['greater_than', ['greater']],
  ['lt', ['less']],
  ['less_than', ['less']],
  ['gte', ['atLeast']],
  ['lte', ['atMost']],
  ['eq', ['equals']],
  ['is', ['equals']],
  ['ne', ['notEquals']],
  ['neq', ['notEquals']],
  ['and', ['all']],
  ['or', ['any']],
]);

const wordNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['string', ['text']],
  ['str', ['text']],
  ['int', ['integer']],
  ['float', ['number']],
  ['double', ['number']],
  ['decimal', ['number']],
  ['bool', ['boolean']],
  ['yesno', ['boolean']],
  ['datetime', ['date']],
  ['day', ['date']],
  ['choice', ['enum']],
  ['select', ['enum']],
  ['categorical', ['enum']],
  ['tel', ['phone']],
  ['telephone', ['phone']],
  ['mail', ['email']],
  ['human', ['user']],
  ['caller', ['user']],
  ['ai', ['assistant']],
  ['bot', ['assistant']],
  ['model', ['assistant']],
]);

const remedies: ReadonlyMap<string, string> = new Map([
  ['Slot required', 'A slot is required unless it has optional: true.'],
  ['Branch true', 'Put it under cases.'],
  ['Branch false', 'Put it under cases.'],
]);

const forms: ReadonlyMap<string, string> = new Map([
  ['Function', '{ name: …, description: …, transition_to: … }'],
  ['Slot', '{ type: …, ask: … }'],
  ['Node', '{ say: … }'],
  ['Action', '{ type: tts_say, text: … }'],
  ['Branch', '{ field: …, cases: { true: …, false: … } }'],
  ['Message', '{ role: system, content: … }'],
]);
