/** Returns a realistic flow with this many nodes, about 190 bytes each, so that 10,000 fit into the file limit of 2 MB. */
export function largeFlow(nodes: number): string {
  const lines = ['initial_node: n0', 'slots:', '  who: { type: name, ask: Who is calling? }', 'nodes:'];
  for (let index = 0; index < nodes - 1; index += 1) {
    const next = index + 2 === nodes ? 'done' : `n${index + 1}`;
    lines.push(
      `  n${index}:`,
      `    task_messages: [{ role: system, content: "Step ${index}, {{ who }}." }]`,
      '    functions:',
      `      - { name: go, description: Go on., transition_to: ${next} }`,
      index % 10 === 0 ? '    collect: [who]' : '    respond_immediately: true',
    );
  }
  lines.push('  done: { say: Goodbye., end: done }', '');
  return lines.join('\n');
}
