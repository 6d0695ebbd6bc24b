import type { Stretch, SyntaxKey, SyntaxScalar } from '../../flow/load/yaml/syntax-tree.ts';

/** The place of a name that is a whole text, without its quotes. */
export function nameIn({ start, end, style }: SyntaxScalar): Stretch {
  return style === 'single' || style === 'double' ? { start: start + 1, end: end - 1 } : { start, end };
}

/** The place of the name in a key, without its quotes. */
export function keyPlace({ start, end, text }: SyntaxKey): Stretch {
  return end - start === text.length + 2 ? { start: start + 1, end: end - 1 } : { start, end };
}

/** The place of the name of an included file, after its tag. */
export function includeName(node: SyntaxScalar): Stretch {
  const quoted = node.style === 'single' || node.style === 'double';
  const end = quoted ? node.end - 1 : node.end;
  return { start: Math.max(node.start, end - node.text.length), end };
}
