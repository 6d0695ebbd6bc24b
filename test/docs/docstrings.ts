import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectFolder } from './pages.ts';

/** A name that the package exports, with the docstring of its definition. */
export interface PublicName {
  readonly name: string;
  readonly file: string;
  readonly isFunction: boolean;
  readonly isClass: boolean;
  /** Empty if there is none. */
  readonly docstring: string;
}

/** The entries of the package and their module names. */
const doors: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entries()).flatMap(([entry, { default: built = '' }]) =>
    built === '' ? [] : [[built.replace('./dist/', 'src/').replace(/js$/, 'ts'), entry.replace('.', 'roomflow')]],
  ),
);

function entries(): Readonly<Record<string, { readonly default?: string }>> {
  const text = readFileSync(join(projectFolder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { exports: Record<string, { default?: string }> }).exports; // The manifest of this project.
}

/** Every name that a door exports. */
export function namesOf(door: string): readonly PublicName[] {
  const text = readFileSync(join(projectFolder, door), 'utf8');
  return [...text.matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)].flatMap(([, list = '', from = '']) => {
    const path = join(projectFolder, dirname(door), from);
    const source = readFileSync(path, 'utf8');
    const file = relative(projectFolder, path);
    const names = list.split(',').map((one) => one.trim().split(/\s+/).at(-1) ?? '');
    return names.filter(Boolean).map((name) => ({ name, file, ...definitionOf(name, source) }));
  });
}

export function publicNames(): readonly PublicName[] {
  return Object.keys(doors).flatMap(namesOf);
}

/**
 * Returns the public methods of each exported class and of each object that a public function returns. The docstring of
 * a port lists the errors of all its implementations.
 */
export function publicMethods(): readonly PublicName[] {
  const names = publicNames();
  const made = new Set(
    names.flatMap(({ name, file, isFunction }) => {
      const form = new RegExp(
        String.raw`^export (?:async )?function ${name}\b[\s\S]*?\): (?:Promise<)?(\w+)>? \{$`,
        'm',
      );
      return isFunction ? (form.exec(sourceOf(file))?.[1] ?? []) : [];
    }),
  );
  return names.flatMap(({ name, file }) => {
    const form = new RegExp(String.raw`^export (class|interface) ${name}\b[\s\S]*?\{\n([\s\S]*?)^\}`, 'm');
    const [, kind, body = ''] = form.exec(sourceOf(file)) ?? [];
    if (kind === undefined || (kind === 'interface' && (!made.has(name) || file.startsWith('src/model/ports/'))))
      return [];
    const method =
      /(?:(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\s*)?^ {2}(?:async )?(?!constructor\b)([a-z]\w*)(?:<[^\n(]*>)?\(/gm;
    return [...body.matchAll(method)].map(([, docstring = '', own = '']) => {
      return { name: `${name}.${own}`, file, isFunction: true, isClass: false, docstring };
    });
  });
}

export function sourceOf(file: string): string {
  return readFileSync(join(projectFolder, file), 'utf8');
}

function definitionOf(name: string, source: string): Pick<PublicName, 'isFunction' | 'isClass' | 'docstring'> {
  const kinds = String.raw`(?:async )?(function\*?|class|interface|type|const)`;
  const form = new RegExp(String.raw`(?:(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\s*)?^export ${kinds} ${name}\b`, 'm');
  const [, docstring = '', kind = ''] = form.exec(source) ?? [];
  return { isFunction: kind.startsWith('function'), isClass: kind === 'class', docstring };
}

/** Returns the example of a docstring as a file with its imports; null if it has none. */
export function exampleOf({ docstring }: PublicName): string | null {
  const [, example] = /@example\s([\s\S]*?)(?:\n \* @|\s*\*\/$)/.exec(docstring) ?? [];
  if (example === undefined) return null;
  const code = example.replaceAll(/^ \* ?/gm, '').trim();
  const imports = Object.entries(doors).map(([door, module]) => {
    const used = namesOf(door).filter((one) => new RegExp(String.raw`\b${one.name}\b`).test(code));
    return used.length === 0 ? '' : `import { ${used.map((one) => one.name).join(', ')} } from '${module}';\n`;
  });
  const given = [
    /\bz\./.test(code) ? "import { z } from 'zod';\n" : '',
    /\bsession\b/.test(code)
      ? "import type { voice } from '@livekit/agents';\ndeclare const session: voice.AgentSession;\n"
      : '',
  ];
  return `${imports.join('')}${given.join('')}${code}\nexport {};\n`;
}
