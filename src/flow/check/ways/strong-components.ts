/**
 * Returns the strongly connected components of a graph (Tarjan's algorithm). Linear, and without recursion, so chains
 * can have any length.
 */
export function strongComponents(successors: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const size = successors.length;
  const order = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const next = new Int32Array(size);
  const isOpen = new Uint8Array(size);
  const open: number[] = [];
  const way: number[] = [];
  const components: number[][] = [];
  let count = 0;

  const enter = (vertex: number): void => {
    order[vertex] = low[vertex] = count++;
    isOpen[vertex] = 1;
    open.push(vertex);
    way.push(vertex);
  };
  const lower = (vertex: number, to: number): void => {
    low[vertex] = Math.min(at(low, vertex), to);
  };
  for (let root = 0; root < size; root += 1) {
    if (order[root] === -1) enter(root);
    for (let vertex = way.at(-1); vertex !== undefined; vertex = way.at(-1)) {
      const successor = successors[vertex]?.[at(next, vertex)];
      if (successor !== undefined) {
        next[vertex] = at(next, vertex) + 1;
        if (order[successor] === -1) enter(successor);
        else if (isOpen[successor] === 1) lower(vertex, at(order, successor));
        continue;
      }
      way.pop();
      const parent = way.at(-1);
      if (parent !== undefined) lower(parent, at(low, vertex));
      if (low[vertex] !== order[vertex]) continue;
      const component = open.splice(open.lastIndexOf(vertex));
      for (const member of component) isOpen[member] = 0;
      components.push(component);
    }
  }
  return components;
}

function at(numbers: Int32Array, index: number): number {
  return numbers[index] ?? 0;
}
