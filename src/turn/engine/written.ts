import type { Signal } from '../../events/signal.ts';
import type { EngineOptions } from './engine-options.ts';

/** A speech that has ended, with what is to be sent of it where the conversation is written. */
export function asWritten(signal: Signal, to: EngineOptions['writesTo']): Signal {
  if (to === undefined || signal.type !== 'speech:settled') return signal;
  const text = [signal.heard, signal.aside ?? ''].filter((part) => part !== '').join(' ');
  return text === '' ? signal : { ...signal, written: { ...to, text } };
}
