import type { StudioEvent, StudioEventType } from '../../protocol.ts';

/** How the page is connected. `refused`: for good, as the server takes this page's cookie no more. */
export type Connection = 'connecting' | 'live' | 'lost' | 'refused';

const eventTypes: Record<StudioEventType, true> = {
  ...{ reset: true, flow: true, session: true, step: true, told: true, line: true, turn: true, swap: true },
  trouble: true,
};

/** What is followed. */
export interface StreamOptions {
  /** Events after this one. */
  readonly after: number;
  readonly sessionId: string | null;
  readonly reveal: string | null;
  readonly onEvent: (event: StudioEvent) => void;
  readonly onConnection: (connection: Connection) => void;
}

/** Follows the events of the server, over reconnections, until it is closed by the function that is returned. */
export function followEvents({ after, sessionId, reveal, onEvent, onConnection }: StreamOptions): () => void {
  const query = new URLSearchParams({ after: String(after) });
  if (sessionId !== null) query.set('session', sessionId);
  if (reveal !== null) query.set('reveal', reveal);
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let last = after;
  const connect = (): void => {
    query.set('after', String(last));
    const opened = new EventSource(`/api/events?${query.toString()}`);
    source = opened;
    opened.addEventListener('open', () => onConnection('live'));
    opened.addEventListener('error', () => {
      if (source !== opened) return;
      onConnection('lost');
      // The browser gives up for good after any answer but 200: the page asks whether anybody is there, and tries again.
      if (opened.readyState === EventSource.CLOSED) void lookAgain();
    });
    for (const type of Object.keys(eventTypes))
      opened.addEventListener(type, (message: MessageEvent<string>) => {
        if (source !== opened) return;
        last = Number(message.lastEventId) || last;
        // Type and data are what the server has put there by the same protocol.
        onEvent({ type, data: JSON.parse(message.data) as unknown } as StudioEvent);
      });
  };
  const lookAgain = async (): Promise<void> => {
    source = null;
    const status = await fetch('/api/about').then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 401 || status === 403 || status === 421) onConnection('refused');
    else retry = setTimeout(connect, retryMs);
  };
  connect();
  return () => {
    clearTimeout(retry);
    source?.close();
    source = null;
  };
}

const retryMs = 500;
