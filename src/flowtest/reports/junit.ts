import { formatPath } from '../../flow/document/problems/diagnostic.ts';
import type { FileResult } from '../run-tests.ts';
import type { ScenarioResult, TestFailure } from '../play/scenario-result.ts';
import { talkOf } from './pretty.ts';

/** The results as JUnit XML: a suite for each file, a case for each scenario, with the conversation. */
export function junitOf(results: readonly FileResult[]): string {
  const suites = results.map(({ test, scenarios }) => {
    const count = (status: ScenarioResult['status']): number => scenarios.filter((one) => one.status === status).length;
    const seconds = secondsOf(scenarios.reduce((sum, { durationMs }) => sum + durationMs, 0));
    return [
      `  <testsuite name=${quoted(test.file)} tests="${scenarios.length}" failures="${count('failed')}" errors="${count('broken')}" skipped="${count('skipped')}" time="${seconds}">`,
      `    <properties><property name="flow" value=${quoted(test.flow.file)}/><property name="flow.hash" value=${quoted(test.flow.graph.hash)}/></properties>`,
      ...scenarios.map((one) => caseOf(test.file, one)),
      '  </testsuite>',
    ].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
}

function caseOf(file: string, one: ScenarioResult): string {
  const line = one.place === null ? '' : ` line="${one.place.line}"`;
  const parts = [
    ...one.failures.map(
      (failure) => `      <failure message=${quoted(failure.message)}>${escaped(textOf(failure))}</failure>`,
    ),
    ...(one.status === 'broken' ? [`      <error message=${quoted(one.reason ?? '')}/>`] : []),
    ...(one.status === 'skipped' ? [`      <skipped message=${quoted(one.reason ?? '')}/>`] : []),
    `      <system-out>${escaped(talkOf(one).join('\n'))}</system-out>`,
  ];
  return [
    `    <testcase classname=${quoted(file)} name=${quoted(one.name)} file=${quoted(file)}${line} time="${secondsOf(one.durationMs)}">`,
    `      <properties><property name="engine" value=${quoted(one.engine)}/></properties>`,
    ...parts,
    '    </testcase>',
  ].join('\n');
}

function textOf({ path, turn, expected, found, place, flowPlace }: TestFailure): string {
  return [
    `${turn === null ? '' : `turn ${turn}, `}${formatPath(path)}`,
    ...(expected === null ? [] : [`expected ${expected}`]),
    ...(found === null ? [] : [`found ${found}`]),
    ...(place === null ? [] : [`at ${place.file}:${place.line}`, place.frame ?? '']),
    ...(flowPlace === null ? [] : [`the flow: ${flowPlace.file}:${flowPlace.line}`, flowPlace.frame ?? '']),
  ].join('\n');
}

function secondsOf(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')}"`;
}

/** Text for XML, which does not allow most control characters. */
function escaped(text: string): string {
  const allowed = text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
  return allowed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
