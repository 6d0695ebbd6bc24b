import type { StudioEvent, StudioEventType } from '../../protocol.ts';

/** The state of the connection. `refused` is final: the server does not accept the page's cookie. */
export type Connection = 'connecting' | 'live' | 'lost' | 'refused';

const eventTypes: Record<StudioEventType, true> = {
  ...{ reset: true, flow: true, session: true, step: true, told: true, line: true, turn: true, swap: true },
  trouble: true,
};

/** Options of a followed stream. */
export interface StreamOptions {
  /** Follows events after this one. */
  readonly after: number;
  readonly sessionId: string | null;
  readonly reveal: string | null;
  readonly onEvent: (event: StudioEvent) => void;
  readonly onConnection: (connection: Connection) => void;
}

/** Follows the events of the server across reconnections, until the returned function is called. */
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
      // The browser does not retry after a status other than 200. The page then checks whether the server answers, and
      // reconnects.
      if (opened.readyState === EventSource.CLOSED) void lookAgain();
    });
    for (const type of Object.keys(eventTypes))
      opened.addEventListener(type, (message: MessageEvent<string>) => {
        if (source !== opened) return;
        last = Number(message.lastEventId) || last;
        // The server uses the same protocol types.
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
