import { openConfig, type OpenedConfig } from '../config.ts';
import { FlowError } from '../errors.ts';
import type { Registered } from '../graph/registered.ts';
import { builtinCatalog } from '../nodes/builtin.ts';
import { registeredBy } from '../runner/registered-by.ts';
import { checkUnsaved, namesOf } from './checker.ts';
import type { CheckerAnswer, CheckerOrder } from './checker-messages.ts';

// A process of its own: what a configuration and its node packs run may hang, throw later, or end the process, and the
// editor's server goes on.

let opened: { readonly config: OpenedConfig; readonly registered: Registered } | undefined;

process.on('message', (order: CheckerOrder) => void answer(order));
process.on('disconnect', () => process.exit(0));

async function answer(order: CheckerOrder): Promise<void> {
  switch (order.kind) {
    case 'open':
      try {
        const config = await openConfig(order.config);
        opened = { config, registered: await registeredBy(config) };
        send({ kind: 'opened', names: namesOf(config.catalog ?? builtinCatalog, opened.registered) });
      } catch (error) {
        send({ kind: 'broken', fault: faultOf(error) });
      }
      return;
    case 'check': {
      if (opened === undefined) return;
      const { config, registered } = opened;
      const diagnostics = checkUnsaved(order.request, config.catalog ?? builtinCatalog, registered);
      send({ kind: 'checked', id: order.id, diagnostics });
    }
  }
}

function send(message: CheckerAnswer): void {
  process.send?.(message);
}

function faultOf(error: unknown): string {
  if (error instanceof FlowError) return error.message;
  return `The configuration cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
}
