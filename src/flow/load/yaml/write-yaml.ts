import { Document, isCollection, isMap, isSeq, type Node, visit } from 'yaml';

/** The maximum length of a map or list that is written in one line, in characters of JSON. */
const mostInOneLine = 90;

/**
 * Writes plain data as readable YAML: below the top levels, short maps and lists are written in one line. Long texts
 * are written as blocks. Words that YAML 1.1 reads as true or false are written in quotes.
 */
export function writeYaml(document: unknown): string {
  const tree = new Document(document, { aliasDuplicateObjects: false, version: '1.2', schema: 'core' });
  visit(tree, {
    Collection(_key, node, path) {
      // The document and its parts, such as the map of its nodes, are blocks.
      const depth = path.filter((one) => isCollection(one)).length;
      if (depth >= 2 && isShort(node)) node.flow = true;
    },
    Scalar(_key, node) {
      if (typeof node.value === 'string' && /^(?:yes|no|on|off|y|n)$/i.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return tree.toString({ lineWidth: 120, minContentWidth: 40, flowCollectionPadding: true });
}

function isShort(node: Node): boolean {
  const text = JSON.stringify(node.toJSON());
  return text.length <= mostInOneLine && !text.includes('\\n') && !holdsListOfMaps(node);
}

/** A map with a list of maps, such as the turns of a scenario, is easier to read line by line. */
function holdsListOfMaps(node: Node): boolean {
  return isMap(node) && node.items.some(({ value }) => isSeq(value) && value.items.some((one) => isMap(one)));
}
