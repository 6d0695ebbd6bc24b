import { FlowError } from '../errors.ts';
import { eventTypes } from '../events/event-types.ts';
import { suggestion } from '../flow/suggestion.ts';

/** Code that no compiler has seen may listen to anything. Throws `input-invalid` for what is no type of event. */
export function assertEventType(type: unknown): void {
  if (typeof type === 'string' && eventTypes.has(type)) return;
  const hint = suggestion(String(type), eventTypes) ?? `There are ${[...eventTypes].join(', ')}.`;
  throw new FlowError('input-invalid', `there is no event "${String(type)}" to listen to. ${hint}`);
}

/** Throws `input-invalid`: what cannot be called would hear nothing. */
export function assertListener(listener: unknown): void {
  if (typeof listener !== 'function') throw new FlowError('input-invalid', 'the listener must be a function.');
}
