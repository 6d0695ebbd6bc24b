import { momentNames } from '../../../expression/moment.ts';
import { compileBinding } from '../../../expression/binding.ts';
import type { DocumentPath } from '../../../document/problems/diagnostic.ts';
import { snakeCase } from '../../../document/problems/schema-shape.ts';
import type { NodeDocument } from '../../../document/node.ts';
import { suggestion } from '../../../document/problems/suggestion.ts';
import type { TransferDocument } from '../../../document/people/transfer.ts';
import { transferOutcomes, type TransferOutcome } from '../../../../model/transfer.ts';
import type { GraphFunction, GraphInterrupt } from '../../graph.ts';
import { transferNode } from '../../nodes/transfer-node.ts';
import { addProblem, bindingAt, type Report } from '../../report.ts';
import { type CompiledInterrupt, usualCompanyMs, waitingPrompt } from '../interrupt.ts';
import type { Registered } from '../registered.ts';
import { wordingsAt } from '../text-in-language.ts';

/** Compiles the transfer of a node: a wait for its outcome. `own`: the node's functions, which stay available meanwhile. */
export function compileTransfer(
  report: Report,
  { transfer }: NodeDocument & { readonly transfer: TransferDocument },
  path: DocumentPath,
  own: readonly GraphFunction[],
  registered: Pick<Registered, 'conversations'>,
): CompiledInterrupt {
  const at = [...path, 'transfer'];
  const { say, on = {}, ...input } = transfer;
  reportFaults(report, transfer, at, registered);
  const leadsTo = Object.entries(on).flatMap(([key, to]): GraphInterrupt['leadsTo'] => {
    const outcome = outcomeOf(key);
    return to === undefined || outcome === undefined ? [] : [{ to, at: [...at, 'on', key], outcome }];
  });
  const isDialed = typeof transfer.to === 'string';
  return {
    interrupt: {
      asksCaller: false,
      question: null,
      options: transferOutcomes,
      asks: { type: transferNode, input: bindingAt(report, input, at, momentNames), literal: {}, config: {} },
      // A ringing tone or music keeps the caller company.
      company: isDialed ? null : { everyMs: usualCompanyMs, lines: null },
      leadsTo,
      output: compileBinding({ outcome: '{{ resolution.decision }}' }),
      isTransfer: true,
    },
    say: say === undefined ? null : wordingsAt(report, say, [...at, 'say']),
    functions: own,
    messages: [waitingPrompt],
  };
}

function outcomeOf(key: string): TransferOutcome | undefined {
  return transferOutcomes.find((outcome) => outcome === snakeCase(key));
}

/** A telephone number, or the address of a person in another network. */
const line = /^(?:tel:)?\+?[\d ().-]{3,}$|^sips?:\S+$/;

function reportFaults(
  report: Report,
  { to, mode, brief, hold }: TransferDocument,
  at: DocumentPath,
  registered: Pick<Registered, 'conversations'>,
): void {
  if (typeof to === 'string' && !to.includes('{{') && !line.test(to))
    addProblem(
      report,
      'error',
      'invalid-transfer',
      [...at, 'to'],
      `"${to}" is not a telephone number or a SIP address.`,
      {
        hint: 'Write +49301234567 or sip:desk@example.com, or { queue: NAME }, { agent: NAME } or { flow: NAME }.',
      },
    );
  if (typeof to !== 'string' && 'flow' in to) reportFlow(report, to.flow, [...at, 'to', 'flow'], registered);
  const isWarm = typeof to === 'string' && mode === 'warm';
  const isQueue = typeof to !== 'string' && 'queue' in to;
  const idle = (key: 'mode' | 'brief' | 'hold', fact: string, hint: string): void =>
    addProblem(report, 'error', 'conflicting-keys', [...at, key], fact, { hint, atKey: true });
  if (typeof to !== 'string' && mode !== undefined) idle('mode', 'only a telephone line has a mode.', 'Remove it.');
  if (brief !== undefined && !isWarm && !isQueue)
    idle('brief', 'the agent does not speak to the person in this transfer.', 'Write mode: warm, or remove it.');
  if (hold !== undefined && !isWarm)
    idle('hold', 'the network plays the ringing tone in this transfer.', 'Write mode: warm, or remove it.');
}

function reportFlow(
  report: Report,
  name: string,
  at: DocumentPath,
  { conversations }: Pick<Registered, 'conversations'>,
): void {
  if (name.includes('{{') || conversations?.has(name) === true) return;
  if (conversations === undefined)
    addProblem(
      report,
      'note',
      'unregistered-flow',
      at,
      `flow "${name}" must be registered in code before the flow runs.`,
    );
  else
    addProblem(report, 'error', 'unknown-flow', at, `flow "${name}" is not registered.`, {
      hint: suggestion(name, conversations) ?? 'Add it to flows of agent.config.ts.',
    });
}
