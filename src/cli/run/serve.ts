import { defineCommand } from 'citty';
import { FlowError } from '../../model/errors.ts';
import { connected } from '../../config/connected-config.ts';
import { planParts, syncPlans } from '../../runner/plans.ts';
import { systemClock, systemIds } from '../../system.ts';
import { openCallStore } from '../../worker/calls/call-store.ts';
import { sendMessages } from '../../worker/send-messages.ts';
import { startClerk } from '../../worker/start-clerk.ts';
import { serveHttp } from '../../worker/serve-http.ts';
import { complain } from '../output.ts';
import { plainLog } from '../plain-log.ts';
import { portIn } from '../port-in.ts';
import { signalled } from '../signalled.ts';
import { flowsAreSound } from './sound-flows.ts';
import { configFile, openConfig } from '../flows/sources.ts';

export const serveCommand = defineCommand({
  args: {
    config: { type: 'string', description: 'The rights and the store. Default: ./agent.config.ts if it exists.' },
    host: { type: 'string', description: 'The address to listen on. Default: 127.0.0.1.' },
    port: { type: 'string', description: 'The port. Default: 8090. 0 selects a free port.' },
  },
  run: ({ args }) => serve(args),
});

async function serve(args: Readonly<Record<'config' | 'host' | 'port', string | undefined>>): Promise<void> {
  const opened = (await openConfig(configFile(args.config))) ?? {};
  const { http = {}, resolveActor, can } = opened;
  if (resolveActor === undefined || can === undefined)
    throw new FlowError(
      'authority-missing',
      'the server cannot identify any user. Set resolveActor and can in agent.config.ts, or name the file with --config.',
    );
  const logger = plainLog(opened.worker?.logLevel ?? 'info', process.env);
  let renew = (): void => undefined;
  const { config, close } = await connected(opened, {
    ...{ env: process.env, clock: systemClock, onTools: () => renew() },
    note: (note) => logger.warn(note, 'mcp'),
  });
  if (!(await flowsAreSound(config))) {
    await close();
    process.exitCode = 2;
    return;
  }
  const { host = http.host } = args;
  const port = portIn(args.port) ?? http.port;
  const address = { ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }) };
  const store = await openCallStore(config, process.env, complain);
  if (store === null)
    throw new FlowError(
      'store-invalid',
      'sessions are stored in memory, which this server cannot read. Set store or ROOMFLOW_STORE to the store of the workers.',
    );
  try {
    await syncPlans(config, planParts(config, { store, clock: systemClock, ids: systemIds }));
    const server = await serveHttp({ ...config, http: { ...http, ...address } }, store, process.env, logger);
    const stopMessages = sendMessages(config, store, process.env, logger);
    const clerk = await startClerk(config, null, store, logger);
    ({ renew } = clerk);
    const asked = signalled();
    logger.info({ event: 'http:listening', url: server.url }, 'http');
    await asked;
    await Promise.all([clerk.stop(), stopMessages()]);
    await server.stop();
  } finally {
    await close();
    await store.close();
  }
  process.exit(0);
}
