import type { Channel, ChannelRun } from '../ports/channel.ts';
import type { Hub } from '../ports/hub.ts';
import type { Clock } from '../ports/time.ts';

/** The channels of a run. Whatever they do, the run goes on: what fails in one is told as `channel:error`. */
export interface Channels {
  attach(channel: Channel): void;
  /** Starts those that have not started, one after the other in the order of attaching. */
  start(): Promise<void>;
  /** Ends those that have started, the last one first. */
  complete(): Promise<void>;
  /** All that are attached, in this order. */
  all(): readonly Channel[];
  /** The first that can ask a person. */
  asking(): Required<Pick<Channel, 'ask'>> | undefined;
  /** Gives a piece of speech to all that take it, and resolves when it was heard by all of them. */
  speak(piece: string): Promise<void>;
  /** What was being said is complete, or was cut off. */
  endSpeech(): void;
}

/** How long a channel may take to start, to end, or for a piece of speech, in milliseconds. */
const longestMs = 10_000;

/** The channels of `run`. */
export function createChannels(hub: Hub, clock: Clock, run: ChannelRun): Channels {
  const attached: Channel[] = [];
  const started: { readonly channel: Channel; readonly leave: () => void }[] = [];
  /** Those that failed to take speech are given no more. */
  const deaf = new Set<Channel>();
  let isOver = false;
  let last = Promise.resolve();

  const startOne = async (channel: Channel): Promise<void> => {
    hub.emit('channel:start', { channel: channel.name });
    started.push({ channel, leave: listen(hub, channel) });
    await attempt(channel, 'start', () => channel.onStart?.(run));
  };
  const attempt = async (channel: Channel, stage: string, work: () => Promise<void> | undefined): Promise<boolean> => {
    try {
      await within(Promise.resolve().then(work), clock);
      return true;
    } catch {
      hub.emit('channel:error', { channel: channel.name, stage });
      return false;
    }
  };
  const listening = (): readonly Channel[] => started.flatMap(({ channel }) => (deaf.has(channel) ? [] : [channel]));

  return {
    attach: (channel) => void attached.push(channel),
    start() {
      // A channel that is attached while others start comes after them.
      last = last.then(async () => {
        for (let next = attached[started.length]; !isOver && next !== undefined; next = attached[started.length])
          await startOne(next);
      });
      return last;
    },
    async complete() {
      // Who comes now has missed the run.
      isOver = true;
      for (const { channel, leave } of started.toReversed()) {
        await attempt(channel, 'complete', () => channel.onComplete?.());
        hub.emit('channel:complete', { channel: channel.name });
        leave();
      }
    },
    all: () => attached,
    asking: () =>
      attached.find((channel): channel is Channel & Required<Pick<Channel, 'ask'>> => channel.ask !== undefined),
    async speak(piece) {
      await Promise.all(
        listening().map(async (channel) => {
          if (channel.onSpeech === undefined) return;
          if (!(await attempt(channel, 'speech', () => channel.onSpeech?.(piece)))) deaf.add(channel);
        }),
      );
    },
    endSpeech() {
      for (const channel of listening()) {
        try {
          channel.onSpeechEnd?.();
        } catch {
          hub.emit('channel:error', { channel: channel.name, stage: 'speech' });
          deaf.add(channel);
        }
      }
    },
  };
}

/** Hands on all events; the first failure is told, and what it tells of is no reason to tell again. */
function listen(hub: Hub, channel: Channel): () => void {
  if (channel.onEvent === undefined) return () => undefined;
  let hasFailed = false;
  const fail = (): void => {
    if (!hasFailed) hub.emit('channel:error', { channel: channel.name, stage: 'event' });
    hasFailed = true;
  };
  return hub.subscribe('*', (event) => {
    try {
      // A function that returns a promise is allowed where nothing is expected.
      const returned: unknown = channel.onEvent?.(event);
      if (returned instanceof Promise) returned.catch(fail);
    } catch {
      fail();
    }
  });
}

function within(work: Promise<void>, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(longestMs, () => reject(new Error('late')));
    void work.then(resolve, reject).finally(cancel);
  });
}
