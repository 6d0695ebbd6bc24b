import { defineCommand } from 'citty';
import { fileURLToPath } from 'node:url';
import { existingStore } from '../../store/open-store.ts';
import { createAuditBook } from '../../people/audit.ts';
import { createAuthority } from '../../people/authority.ts';
import { revealsOf, type StudioAccess } from '../../studio/access.ts';
import { readAssets } from '../../studio/page-shell.ts';
import { serveStudio } from '../../studio/serve-studio.ts';
import { createStoreDesk } from '../../studio/sessions/store-desk.ts';
import { tokenFolder } from '../../studio/token.ts';
import { systemClock } from '../../system.ts';
import { openBrowser } from '../open-browser.ts';
import { operatorOf } from '../people/operator.ts';
import { complain, paint, print } from '../output.ts';
import { ownVersion } from '../own-version.ts';
import { portIn } from '../port-in.ts';
import { signalled } from '../signalled.ts';
import { configFile, openConfig } from '../flows/sources.ts';

export const studioCommand = defineCommand({
  args: {
    store: { type: 'string', description: 'The store of the sessions. Default: the store of the configuration.' },
    config: { type: 'string', description: 'The rights of users. Default: ./agent.config.ts if it exists.' },
    port: { type: 'string', description: 'The port. Default: 7651, or a free port if 7651 is taken.' },
    host: { type: 'string', description: 'The address to listen on. Default: 127.0.0.1.' },
    open: { type: 'boolean', default: true, description: 'Do not open a browser.' },
  },
  run: ({ args }) => look(args),
});

interface StudioArguments {
  readonly store?: string | undefined;
  readonly config?: string | undefined;
  readonly port?: string | undefined;
  readonly host?: string | undefined;
  readonly open?: boolean | undefined;
}

/** Serves the page for the sessions of a store until the process is stopped. */
async function look(args: StudioArguments): Promise<void> {
  const port = portIn(args.port);
  const config = await openConfig(configFile(args.config));
  // Opened for writing because revealed and denied values are recorded in the audit.
  const store = await existingStore(args.store ?? config?.store, process.env, systemClock, 'write');
  try {
    const { actor, authority } = operatorOf(config);
    const audit = createAuditBook({ store, clock: systemClock });
    const { resolveActor, can, http = {} } = config ?? {};
    const others = resolveActor === undefined ? null : createAuthority({ resolveActor, can, clock: systemClock });
    const access: Omit<StudioAccess, 'token' | 'cookie'> = { local: actor, others, authority, audit };
    const reveals = revealsOf(access, store, systemClock);
    const studio = await serveStudio({
      ...{ access, reveals, port, host: args.host, clock: systemClock, version: ownVersion() },
      desk: createStoreDesk({ store, clock: systemClock }),
      hosts: http.hosts ?? [],
      publicUrl: http.publicUrl ?? null,
      assets: readAssets(fileURLToPath(new URL('../../studio/page', import.meta.url))),
      log: { info: () => undefined, error: ({ error }) => complain(`studio: ${String(error)}`) },
      tokenFolder: tokenFolder(process.env),
    });
    const asked = signalled();
    print(`${paint('bold', 'Roomflow studio')}  ${studio.address}`);
    print(paint('dim', '  read-only view of the sessions; personal values are masked until you reveal them'));
    print(paint('dim', 'Ctrl-C stops the studio.'));
    if (args.open !== false) openBrowser(studio.address);
    await asked;
    await studio.stop();
  } finally {
    await store.close();
  }
}
