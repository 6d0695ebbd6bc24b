import type { Signal } from '../../model/signals/signal.ts';
import type { EngineOptions } from '../engine-options.ts';

/** Adds the text to send to a settled speech, if the conversation is text. */
export function withTextToSend(signal: Signal, to: EngineOptions['writesTo']): Signal {
  if (to === undefined || signal.type !== 'speech:settled') return signal;
  const text = [signal.heard, signal.aside ?? ''].filter((part) => part !== '').join(' ');
  return text === '' ? signal : { ...signal, written: { ...to, text } };
}
