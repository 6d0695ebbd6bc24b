import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { projectFolder } from './pages.ts';

/** An interface or a type of the sources, as the page shows it. */
export interface Declared {
  readonly name: string;
  readonly text: string;
  readonly members: readonly Member[];
}

export interface Member {
  readonly name: string;
  /** Its comment; empty if it has none. */
  readonly says: string;
  readonly type: string;
  readonly isOptional: boolean;
}

/** The part of a syntax tree that is read here. */
interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly id?: { readonly name: string };
  readonly body?: { readonly body: readonly Syntax[] };
  readonly declaration?: Syntax | null;
  readonly key?: { readonly name?: string; readonly value?: string };
  readonly optional?: boolean;
  readonly typeAnnotation?: { readonly typeAnnotation: Syntax };
}

/** Returns the interfaces and types that a source file declares. */
export function declarationsOf(file: string): readonly Declared[] {
  const source = readFileSync(join(projectFolder, file), 'utf8');
  const { body } = parseAst(source, { lang: 'ts' }) as unknown as { readonly body: readonly Syntax[] }; // The parser's own type does not include TypeScript nodes.
  return body.flatMap(({ declaration, ...statement }) => {
    const one = declaration ?? statement;
    if (one.id === undefined || !/^TS(Interface|TypeAlias)/.test(one.type)) return [];
    const members = (one.body?.body ?? []).map((member, index, all) => memberOf(source, member, all[index - 1]));
    return [{ name: one.id.name, text: source.slice(one.start, one.end), members }];
  });
}

/** Returns a member and the comment above it. */
function memberOf(source: string, { start, key, optional, typeAnnotation }: Syntax, before?: Syntax): Member {
  const above = source.slice(before?.end ?? 0, start);
  const [, comment = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:readonly\s+)?$/.exec(above) ?? [];
  const { start: from = 0, end: to = 0 } = typeAnnotation?.typeAnnotation ?? {};
  return {
    name: key?.name ?? key?.value ?? '',
    says: comment.replaceAll(/\s*\n\s*\*\s?/g, ' ').trim(),
    type: source.slice(from, to).replaceAll(/^ {2}/gm, ''),
    isOptional: optional === true,
  };
}
