import type { AgentConfig } from '../config/config.ts';
import { errorKind } from '../model/errors.ts';
import { linkTo } from '../http/link-to.ts';
import { notifyChannel } from '../kernel/wait/outside-waits.ts';
import { createTextSender } from '../people/channels/text-sender.ts';
import { linkSignerOf } from '../people/links.ts';
import { createMessenger, type OutgoingMessage, type SendMessage } from '../people/messages/messenger.ts';
import { neededNotice } from '../people/messages/needed-notice.ts';
import { noticeSender } from '../people/messages/notify.ts';
import { findWait, isOpen } from '../people/waits.ts';
import type { Store } from '../model/ports/store.ts';
import { systemClock, systemIds } from '../system.ts';
import type { WorkerLog } from './worker-log.ts';

/** Sends the messages of a store's sessions, as configured. Returns a function that stops it. Throws `link-secret-weak`. */
export function sendMessages(
  { notify = {}, http = {}, channels = {} }: Pick<AgentConfig, 'notify' | 'http' | 'channels'>,
  store: Store,
  env: NodeJS.ProcessEnv,
  logger: Pick<WorkerLog, 'warn'>,
): () => Promise<void> {
  const links = linkSignerOf(env, systemClock);
  const linkOf = async (key: string, to: string): Promise<string | null> => {
    const wait = await findWait(store, key);
    if (links === null || http.publicUrl === undefined || wait === null || !isOpen(wait.effect)) return null;
    return linkTo({ links, publicUrl: http.publicUrl, clock: systemClock, ids: systemIds }, wait, { to }).url;
  };
  const textSenderOf = createTextSender({ store, clock: systemClock, channels });
  const senderOf = (message: OutgoingMessage): SendMessage | null => {
    const { channel, to } = message;
    if (channel !== notifyChannel) return textSenderOf(message);
    const own = Object.hasOwn(notify, to) ? notify[to] : undefined;
    return own === undefined ? null : neededNotice({ store, clock: systemClock }, noticeSender(own, linkOf));
  };
  const messenger = createMessenger({
    store,
    clock: systemClock,
    senderOf,
    // A key contains the session id.
    onFailed: ({ key: _key, ...note }) => logger.warn({ event: 'message:failed', ...note }, 'messages'),
    onError: (error) => logger.warn({ event: 'messages:away', code: errorKind(error) }, 'messages'),
  });
  messenger.start();
  return () => messenger.stop();
}
