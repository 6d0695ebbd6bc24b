import { Document, isCollection, isMap, isScalar, type Node, visit } from 'yaml';

/** A longer collection is written line by line. */
const mostInOneLine = 96;

/** Plain data as YAML for people: what is short stands in one line, and what reads otherwise than it is meant in quotes. */
export function linesOfYaml(value: unknown): string {
  const document = new Document(value, { version: '1.2', schema: 'core' });
  visit(document, {
    Collection(_key, node, path) {
      const depth = path.filter((one) => isCollection(one)).length;
      if (depth > 0 && lengthOf(node) <= mostInOneLine && !holdsLists(node)) node.flow = true;
    },
    Scalar(_key, node) {
      // YAML 1.1 takes these words for true and false, and so do people.
      if (typeof node.value === 'string' && /^(?:yes|no|on|off|y|n)$/i.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function lengthOf(node: Node): number {
  return JSON.stringify(node.toJSON()).length;
}

/** A list of maps is read more easily line by line. */
function holdsLists(node: Node): boolean {
  if (isScalar(node) || !isCollection(node)) return false;
  return node.items.some((item) => {
    const inner = isMap(node) ? (item as { readonly value: unknown }).value : item; // A map has pairs.
    return isCollection(inner) && !isMap(node) ? false : isCollection(inner) && inner.items.some((one) => isMap(one));
  });
}
