import { FlowError } from '../model/errors.ts';
import { eventTypes } from '../model/events/event-types.ts';
import { suggestion } from '../flow/document/problems/suggestion.ts';

/** Checks an event type from untyped code. Throws `input-invalid` if it does not exist. */
export function assertEventType(type: unknown): void {
  if (typeof type === 'string' && eventTypes.has(type)) return;
  const hint = suggestion(String(type), eventTypes) ?? `There are ${[...eventTypes].join(', ')}.`;
  throw new FlowError('input-invalid', `there is no event "${String(type)}" to listen to. ${hint}`);
}

/** Throws `input-invalid` if the listener is not a function. */
export function assertListener(listener: unknown): void {
  if (typeof listener !== 'function') throw new FlowError('input-invalid', 'the listener must be a function.');
}
