import type { Channel, ChannelRun } from '../../model/ports/channel.ts';
import type { Hub } from '../../model/ports/hub.ts';
import type { Clock } from '../../model/ports/time.ts';

/** The channels of a run. A failing channel does not affect the run; it is reported as `channel:error`. */
export interface Channels {
  attach(channel: Channel): void;
  /** Starts the channels that have not started, one by one in order of attachment. */
  start(): Promise<void>;
  /** Completes the started channels in reverse order. */
  complete(): Promise<void>;
  /** All attached channels, in order. */
  all(): readonly Channel[];
  /** The first channel that can ask a person. */
  asking(): Required<Pick<Channel, 'ask'>> | undefined;
  /** Sends a piece of speech to all channels that take speech. Resolves when all have played it. */
  speak(piece: string): Promise<void>;
  /** Reports that the speech is complete or was interrupted. */
  endSpeech(): void;
}

/** Time limit of a channel for starting, ending, or one piece of speech, in milliseconds. */
const longestMs = 10_000;

/** Creates the channels of `run`. */
export function createChannels(hub: Hub, clock: Clock, run: ChannelRun): Channels {
  const attached: Channel[] = [];
  const started: { readonly channel: Channel; readonly leave: () => void }[] = [];
  /** Channels that failed to play speech receive no more. */
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
      // A channel attached meanwhile starts after these.
      last = last.then(async () => {
        for (let next = attached[started.length]; !isOver && next !== undefined; next = attached[started.length])
          await startOne(next);
      });
      return last;
    },
    async complete() {
      // Channels attached from here on have missed the run.
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

/** Forwards all events to a channel. Reports only its first failure, because the report is itself an event. */
function listen(hub: Hub, channel: Channel): () => void {
  if (channel.onEvent === undefined) return () => undefined;
  let hasFailed = false;
  const fail = (): void => {
    if (!hasFailed) hub.emit('channel:error', { channel: channel.name, stage: 'event' });
    hasFailed = true;
  };
  return hub.subscribe('*', (event) => {
    try {
      // TypeScript accepts a function that returns a promise here.
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
