/** The kinds of names that a text in a document can be. */
export type Role =
  | 'node'
  | 'slot'
  | 'call'
  | 'function'
  | 'tool'
  | 'handler'
  | 'flow'
  | 'file'
  | 'type'
  | 'variable'
  /** Two nodes, as `NODE -> NODE`. */
  | 'edge'
  /** A file that is opened together with this one. */
  | 'path'
  /** A name as conditions read them: a slot, a variable, the output of a node, or an input. */
  | 'value';

/**
 * By the definition that has a key, and the key in snake_case: the kind of name in its value, or in each member of it.
 */
const roles: Readonly<Record<string, Role>> = {
  'ConversationFlow.initial_node': 'node',
  'ConversationFlow.on_error': 'node',
  'ConversationFlow.on_trouble': 'node',
  'ConversationFlow.prompt_file': 'file',
  'Node.on_error': 'node',
  'Node.default_transition': 'node',
  'Node.prompt_file': 'file',
  'Node.call': 'call',
  'Node.collect': 'slot',
  'Node.forget': 'slot',
  'Collected.slot': 'slot',
  'Node.type': 'type',
  'Node.tools': 'tool',
  'Node.name': 'flow',
  'TaskNode.type': 'type',
  'TaskNode.prompt_file': 'file',
  'TaskNode.tools': 'tool',
  'TaskNode.name': 'flow',
  'AgentConfig.tools': 'tool',
  'Function.name': 'function',
  'Function.handler': 'tool',
  'Function.run': 'flow',
  'Function.save_as': 'variable',
  'Function.on_refuse': 'node',
  'Function.transition_to': 'node',
  'Function.transition_callback': 'handler',
  'Branch.cases': 'node',
  'Branch.default': 'node',
  'Edge.from': 'node',
  'Edge.to': 'node',
  'TaskEdge.from': 'node',
  'TaskEdge.to': 'node',
  'Ladder.on_no_input': 'node',
  'Ladder.on_no_match': 'node',
  'Deadline.node': 'node',
  'Meanwhile.functions': 'tool',
  'Action.handler': 'handler',
  'When.var': 'value',
  'When.count': 'value',
  'When.add': 'value',
  'When.days_between': 'value',
  'When.weekday': 'value',
  'Term.var': 'value',
  'Term.count': 'value',
  'Term.add': 'value',
  'Term.days_between': 'value',
  'Term.weekday': 'value',
  'FlowTest.flow': 'path',
  'FlowTest.config': 'path',
  'Turn.node': 'node',
  'Decision.node': 'node',
  'Expectation.node': 'node',
  'Expectation.edge': 'edge',
  'Expectation.tool': 'tool',
  'Expectation.blocked': 'tool',
  'FinalExpectation.node': 'node',
  'FinalExpectation.edge': 'edge',
  'FinalExpectation.tool': 'tool',
  'FinalExpectation.blocked': 'tool',
  'FinalExpectation.path': 'node',
  'UnwantedThing.node': 'node',
  'UnwantedThing.edge': 'edge',
  'UnwantedThing.tool': 'tool',
  'UnwantedThing.name': 'tool',
  'TakenEdge.from': 'node',
  'TakenEdge.to': 'node',
  'TakenEdge.function': 'call',
  'ToolCalled.name': 'tool',
  'ModelReply.call': 'call',
  'ModelRule.call': 'call',
  'ModelRule.after_tool': 'call',
  'ModelCall.call': 'call',
};

/** In the same way: the kind of name in the keys of a map with author-defined keys. */
const keyRoles: Readonly<Record<string, 'node' | 'slot' | 'variable' | 'tool'>> = {
  'Expectation.slots': 'slot',
  'Expectation.variables': 'variable',
  'FinalExpectation.slots': 'slot',
  'FinalExpectation.variables': 'variable',
  'ModelReply.record': 'slot',
  'ModelRule.record': 'slot',
  'Scenario.llm': 'node',
  'Scenario.tools': 'tool',
  'TestDefaults.llm': 'node',
  'TestDefaults.tools': 'tool',
  'Turn.tools': 'tool',
};

/** The kind of name that the keys under a key of a definition are, or undefined if they are only words. */
export function keyRoleOf(title: string, key: string): 'node' | 'slot' | 'variable' | 'tool' | undefined {
  return Object.hasOwn(keyRoles, `${title}.${key}`) ? keyRoles[`${title}.${key}`] : undefined;
}

/** The kind of name that a text under a key of a definition is, or undefined if it is only a text. */
export function roleOf(title: string, key: string): Role | undefined {
  return Object.hasOwn(roles, `${title}.${key}`) ? roles[`${title}.${key}`] : undefined;
}

/**
 * Checks whether a target may be `$return`: the next step of a flow may, but not its first node or its error target.
 */
export function mayReturn(title: string, key: string): boolean {
  return ['Function.transition_to', 'Branch.cases', 'Branch.default', 'Node.default_transition', 'Edge.to'].includes(
    `${title}.${key}`,
  );
}

/** Keys of a condition that name known values, at any depth. */
export const namingKeys: ReadonlySet<string> = new Set(['var', 'count', 'add', 'days_between', 'weekday']);

/** Names that a text may use in addition to those of the flow, by the key of the text. */
export function localNames(title: string, key: string): readonly string[] {
  switch (`${title}.${key}`) {
    case 'Function.confirm':
      return ['args'];
    case 'Slot.confirm_text':
      return ['value'];
    case 'Ladder.lines':
      return ['question'];
    case 'Node.output':
      return ['resolution', 'actor'];
    default:
      return [];
  }
}
