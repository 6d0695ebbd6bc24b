import type { FlowPosition } from '../document/flow-places.ts';
import type { FileResult } from '../run-tests.ts';

/** A line for each failure, which GitHub shows next to the line of the test, and of the flow if it is known. */
export function githubOf(results: readonly FileResult[]): string {
  return results
    .flatMap(({ test, scenarios }) =>
      scenarios.flatMap((one) => [
        ...(one.status === 'broken'
          ? [annotation('error', one.place ?? { file: test.file, line: 1 }, one.name, one.reason ?? '')]
          : []),
        ...one.failures.flatMap(({ message, expected, found, place, flowPlace }) => {
          const text = [
            message,
            ...(expected === null ? [] : [`expected ${expected}`]),
            ...(found === null ? [] : [`found ${found}`]),
          ];
          return [
            annotation('error', place ?? one.place ?? { file: test.file, line: 1 }, one.name, text.join('\n')),
            ...(flowPlace === null ? [] : [annotation('notice', flowPlace, `breaks: ${one.name}`, text.join('\n'))]),
          ];
        }),
      ]),
    )
    .join('');
}

function annotation(level: 'error' | 'notice', { file, line }: FlowPosition, title: string, text: string): string {
  return `::${level} file=${property(file)},line=${line},title=${property(title)}::${data(text)}\n`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
