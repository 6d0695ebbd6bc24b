import { sameValue } from '../flow/expression/same-value.ts';
import { compilePattern } from '../flow/expression/pattern.ts';
import type { SessionState } from '../kernel/state/state.ts';
import type { Expectation } from './script.ts';

/** The state of a conversation when an expectation is checked. */
export interface Observed {
  readonly state: SessionState;
  /** The agent's lines since the previous step. */
  readonly said: readonly string[];
  readonly ended: string | null;
  /** The number of requests to the model, or null if they are not counted. */
  readonly requests: number | null;
}

/** The expectations that do not hold, one sentence each. Empty if all hold. */
export function unmet(expected: Expectation, observed: Observed): readonly string[] {
  const { state, said, ended, requests } = observed;
  const failures: string[] = [];
  const differs = (what: string, wanted: unknown, got: unknown): void =>
    void failures.push(`expected ${what} ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
  if (expected.node !== undefined && expected.node !== state.position.node)
    differs('node', expected.node, state.position.node);
  const speech = said.join(' ');
  for (const text of listOf(expected.said)) if (!found(text, speech)) differs('said', text, speech);
  for (const text of listOf(expected.notSaid)) if (found(text, speech)) differs('not said', text, speech);
  for (const [slot, value] of Object.entries(expected.slots ?? {})) {
    const known = Object.hasOwn(state.knowledge.slots, slot) ? state.knowledge.slots[slot]?.value : undefined;
    if (!sameValue(known ?? null, value)) differs(`slot ${slot}`, value, known ?? null);
  }
  for (const [name, value] of Object.entries(expected.variables ?? {})) {
    const known = Object.hasOwn(state.knowledge.variables, name) ? state.knowledge.variables[name] : undefined;
    if (!sameValue(known ?? null, value)) differs(`variable ${name}`, value, known ?? null);
  }
  if (typeof expected.ended === 'boolean' && expected.ended !== (ended !== null))
    differs('ended', expected.ended, ended);
  if (typeof expected.ended === 'string' && expected.ended !== ended) differs('ended', expected.ended, ended);
  if (expected.requests !== undefined && requests === null)
    failures.push('the requests to this model are not counted: only those to a ScriptedModel are');
  else if (expected.requests !== undefined && expected.requests !== requests)
    differs('requests', expected.requests, requests);
  return failures;
}

function listOf(value: string | string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

/** Searches for a text and ignores its case. A text between slashes is a regular expression. */
function found(wanted: string, speech: string): boolean {
  const pattern = /^\/(.+)\/([ims]*)$/.exec(wanted);
  if (pattern === null) return speech.toLowerCase().includes(wanted.toLowerCase());
  const compiled = compilePattern(pattern[1] ?? '', pattern[2]);
  return compiled.ok && compiled.test(speech);
}
