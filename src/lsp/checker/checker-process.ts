import { openConfig, type OpenedConfig } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import type { Registered } from '../../flow/graph/compile/registered.ts';
import { flowFile } from '../../flow/load/files/flow-file.ts';
import { isFlowText } from '../../flow/load/open-source.ts';
import { builtinCatalog } from '../../flow/nodes/builtin.ts';
import { registeredBy } from '../../runner/registered-by.ts';
import { checkUnsaved, namesOf } from './checker.ts';
import type { CheckerAnswer, CheckerOrder } from './checker-messages.ts';

// A separate process: the code of a configuration and its node packs may hang, throw later, or end the process, and the
// editor's server continues.

let opened: { readonly config: OpenedConfig; readonly registered: Registered } = { config: {}, registered: {} };

process.on('message', (order: CheckerOrder) => {
  answer(order).catch((error: unknown) => {
    if (order.kind !== 'open') send({ kind: 'failed', id: order.id, fault: faultOf(error) });
  });
});
process.on('disconnect', () => process.exit(0));

async function answer(order: CheckerOrder): Promise<void> {
  switch (order.kind) {
    case 'open':
      try {
        if (order.config !== null) {
          const config = await openConfig(order.config);
          opened = { config, registered: await registeredBy(config) };
        }
        const { config, registered } = opened;
        send({ kind: 'opened', names: namesOf(config.catalog ?? builtinCatalog, registered, filesOf(config)) });
      } catch (error) {
        send({ kind: 'broken', fault: faultOf(error) });
      }
      return;
    case 'check': {
      const { config, registered } = opened;
      const diagnostics = checkUnsaved(order.request, config.catalog ?? builtinCatalog, registered);
      return send({ kind: 'checked', id: order.id, diagnostics });
    }
    case 'test': {
      const { path, unsaved } = order.request;
      const { openTest } = await import('../../flowtest/open-test.ts');
      const { diagnostics } = await openTest(path, undefined, (one) => unsaved.get(one));
      send({ kind: 'checked', id: order.id, diagnostics });
    }
  }
}

function filesOf({ flows = {} }: OpenedConfig): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(flows).flatMap(([name, flow]): [string, string][] =>
      typeof flow === 'string' && !isFlowText(flow) ? [[name, flowFile(flow)]] : [],
    ),
  );
}

function send(message: CheckerAnswer): void {
  process.send?.(message);
}

function faultOf(error: unknown): string {
  if (error instanceof FlowError) return error.message;
  return `The configuration cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
}
