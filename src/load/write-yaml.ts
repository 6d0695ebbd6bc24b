import { Document, visit } from 'yaml';

/** How long a map or list may be that stands in one line, in characters of JSON. */
const inOneLine = 90;

/** A document as YAML that people read: short maps and lists stand in one line, long texts in blocks. */
export function writeYaml(document: Readonly<Record<string, unknown>>): string {
  const tree = new Document(document, { aliasDuplicateObjects: false, version: '1.2', schema: 'core' });
  visit(tree, {
    Collection(_key, node, path) {
      // The parts of the document and its nodes are blocks.
      if (path.length < 4 || !isShort(node.toJSON())) return undefined;
      node.flow = true;
      return visit.SKIP;
    },
  });
  return tree.toString({ lineWidth: 120, minContentWidth: 40, flowCollectionPadding: true });
}

function isShort(value: unknown): boolean {
  const text = JSON.stringify(value);
  return text.length <= inOneLine && !text.includes('\\n');
}
