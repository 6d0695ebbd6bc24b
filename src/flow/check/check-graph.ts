import type { Registered } from '../graph/compile/registered.ts';
import type { Graph } from '../graph/graph.ts';
import type { NodeSources } from '../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../graph/report.ts';
import { checkCallee } from './callee.ts';
import { checkConfirmTexts } from './confirm-texts.ts';
import { checkCollisions, declarationsOf } from './declarations.ts';
import { checkEarlyEdges } from './ways/early-edges.ts';
import { checkDecisions } from './decisions.ts';
import { checkEdges } from './ways/edges.ts';
import { checkFailingNodes } from './ways/failing-nodes.ts';
import { checkFunctions } from './functions.ts';
import { checkKeys } from './keys.ts';
import { checkNames } from './names.ts';
import { checkNodeCalls } from './node-calls.ts';
import { offersOf } from './offers.ts';
import { checkPlainBraces } from './plain-braces.ts';
import { checkPrompts } from './prompts.ts';
import { checkReachability, reachableNodes } from './ways/reachability.ts';
import { checkRoutingCycles } from './ways/routing-cycles.ts';
import { checkSecrets } from './secrets.ts';
import { checkSettledDecisions } from './ways/settled-decisions.ts';
import { checkSlots } from './slots-used.ts';
import { checkTargets } from './ways/targets.ts';
import { checkWaitingTasks } from './ways/waiting-tasks.ts';
import { checkUnheardWords } from './unheard-words.ts';
import { checkWaysOut } from './ways/ways-out.ts';

/** Reports problems between the parts of a flow: targets, ways out, names, functions, prompts. Runs in linear time. */
export function checkGraph(report: Report, graph: Graph, sources: NodeSources, registered: Registered): void {
  if (graph.nodes.size === 0) {
    addProblem(report, 'error', 'no-nodes', ['nodes'], 'the flow has no nodes.', { hint: 'Add one.', atKey: true });
    return;
  }
  const offers = offersOf(graph, sources);
  const declarations = declarationsOf(graph, sources, offers);
  const reachable = reachableNodes(graph);
  checkTargets(report, graph, sources, offers);
  checkSlots(report, graph, sources, offers);
  if (registered.endless !== true) checkWaysOut(report, graph, sources, registered);
  checkEdges(report, graph, sources);
  checkDecisions(report, graph, sources);
  checkEarlyEdges(report, graph, sources, offers);
  checkSettledDecisions(report, graph, sources, offers);
  checkFailingNodes(report, graph, sources);
  checkWaitingTasks(report, graph, sources, registered);
  checkKeys(report, graph, sources);
  if (registered.endless !== true) checkUnheardWords(report, graph, sources);
  checkRoutingCycles(report, graph, sources);
  checkReachability(report, sources, offers, registered, reachable);
  checkFunctions(report, graph, offers, reachable, registered);
  checkNodeCalls(report, graph, sources, registered);
  checkCollisions(report, declarations);
  checkNames(report, graph, declarations, offers);
  checkConfirmTexts(report, declarations, offers);
  checkPlainBraces(report, declarations, offers);
  checkPrompts(report, graph, sources);
  checkCallee(report, graph);
  checkSecrets(report, graph);
}
