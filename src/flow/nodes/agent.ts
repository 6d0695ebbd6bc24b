import { z } from 'zod';
import { FlowError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import { schemaFaults } from '../document/problems/schema-faults.ts';
import { defineNodeType, type NodeType, type RunContext } from '../graph/nodes/node-type.ts';
import { agentConfig } from './agent-config.ts';
import { type AgentTask, runAgent } from './agent-run.ts';
import { asJson, jsonObject, tooLargeToKeep } from './json-fields.ts';

const capabilities = { isAgent: true, supportsMultiTurn: true, isStreaming: true } as const;

/** The common input of all agents. */
const common = {
  system: z.string().optional().describe('The prompt of the model, after the node’s prompt file.'),
  tools: z
    .array(z.string().min(1))
    .optional()
    .describe('The registered functions that the agent may call. Overrides config.'),
  model: z.string().min(1).optional().describe('The name of a model in agent.config.ts. Overrides config.'),
  metadata: jsonObject.optional().describe('Options for the model’s provider. Overrides config.'),
};

const agentInput = z.object({ input: z.unknown(), ...common });

const agentRun = defineNodeType({
  name: 'agent.run',
  description: 'Runs a model with a prompt and functions.',
  input: z.strictObject({
    input: z.unknown().describe('The first message. A value that is not text is shown as JSON.'),
    ...common,
  }),
  output: z.strictObject({ result: z.unknown().describe('The answer of its last turn, as text.') }),
  config: agentConfig,
  capabilities,
  run: (input, context) => run(input, context, '', { read: asText }),
});

const agentPlan = defineNodeType({
  name: 'agent.plan',
  description: 'Lets a model break a task into steps. The result is a list of texts.',
  input: z.strictObject({
    input: z.unknown().describe('The task. A value that is not text is shown as JSON.'),
    maxSteps: z.number().int().min(1).max(1_000).optional().describe('Maximum number of steps.'),
    ...common,
  }),
  output: z.strictObject({ result: z.array(z.string()).describe('The steps, one text each.') }),
  config: agentConfig,
  capabilities,
  run(input, context) {
    const steps = z
      .array(z.string().min(1))
      .min(1)
      .max(input.maxSteps ?? 1_000);
    const most = input.maxSteps === undefined ? '' : ` Take ${input.maxSteps} steps at most.`;
    const answer = asJsonOf(z.strictObject({ steps }), ({ steps }) => steps);
    return run(input, context, `Break the task into steps, one sentence each.${most}`, answer);
  },
});

const agentClassify = defineNodeType({
  name: 'agent.classify',
  description: 'Lets a model classify a value. The result is a label.',
  input: z.strictObject({
    input: z.unknown().describe('The value to classify. A value that is not text is shown as JSON.'),
    labels: z
      .array(z.string().trim().min(1))
      .min(1)
      .optional()
      .describe('The classes. Without them the prompt names the classes.'),
    ...common,
  }),
  output: z.strictObject({
    result: z.string().describe('The label from labels. Without labels, the model’s answer.'),
  }),
  config: agentConfig,
  capabilities,
  run(input, context) {
    const { labels } = input;
    const choice = labels === undefined ? '' : ` The classes are: ${labels.join(', ')}.`;
    return run(input, context, `Answer with the class of the input and nothing else.${choice}`, {
      read(text) {
        const said = plain(text);
        if (labels === undefined) return { result: text.trim() };
        const result = labels.find((label) => plain(label) === said);
        return result === undefined ? `This is none of the classes. They are: ${labels.join(', ')}.` : { result };
      },
    });
  },
});

const agentCoder = defineNodeType({
  name: 'agent.coder',
  description: 'Lets a model write code. The result is the code and the text around it.',
  input: z.strictObject({
    input: z.unknown().describe('The task of the code. A value that is not text is shown as JSON.'),
    language: z.string().min(1).optional().describe('The programming language.'),
    ...common,
  }),
  output: z.strictObject({
    result: z
      .strictObject({
        code: z.string().describe('The code, without its fence.'),
        notes: z.string().describe('The text around the code.'),
      })
      .describe('The code and the text around it.'),
  }),
  config: agentConfig,
  capabilities,
  run(input, context) {
    const language = input.language === undefined ? '' : ` in ${input.language}`;
    return run(input, context, `Write the code${language} in one fenced block. Be brief about it.`, { read: asCode });
  },
});

const review = z.strictObject({
  approved: z.boolean().describe('Whether it is approved.'),
  comments: z.array(z.string()).describe('What is to be said of it, one text each.'),
});

const agentReviewer = defineNodeType({
  name: 'agent.reviewer',
  description: 'Lets a model review a value. The result has its decision and its comments.',
  input: z.strictObject({
    input: z.unknown().describe('The value to review. A value that is not text is shown as JSON.'),
    criteria: z.array(z.string().min(1)).optional().describe('The criteria of the review.'),
    ...common,
  }),
  output: z.strictObject({ result: review.describe('The review.') }),
  config: agentConfig,
  capabilities,
  run(input, context) {
    const criteria = (input.criteria ?? []).map((criterion) => `\n- ${criterion}`).join('');
    const held = criteria === '' ? '' : ` Hold it against:${criteria}`;
    return run(
      input,
      context,
      `Review the input.${held}`,
      asJsonOf(review, (given) => given),
    );
  },
});

const agentSummarize = defineNodeType({
  name: 'agent.summarize',
  description: 'Lets a model summarise a value. The result is a text.',
  input: z.strictObject({
    input: z.unknown().describe('The value to summarise. A value that is not text is shown as JSON.'),
    maxWords: z.number().int().min(1).optional().describe('The approximate length of the summary.'),
    ...common,
  }),
  output: z.strictObject({ result: z.string().describe('The summary.') }),
  config: agentConfig,
  capabilities,
  run(input, context) {
    const most = input.maxWords === undefined ? '' : ` in ${input.maxWords} words at most`;
    return run(input, context, `Summarise the input${most}. Answer with the summary alone.`, { read: asText });
  },
});

/** The nodes that call a model. */
export const agentNodes: readonly NodeType[] = [
  agentClassify,
  agentCoder,
  agentPlan,
  agentReviewer,
  agentRun,
  agentSummarize,
];

async function run<Result>(
  { input, system, tools, model, metadata }: z.output<typeof agentInput>,
  context: RunContext,
  role: string,
  answer: Pick<AgentTask<Result>, 'read' | 'output'> & { readonly form?: string },
): Promise<{ result: Result }> {
  const tooLarge = tooLargeToKeep(input);
  if (tooLarge !== null) throw new FlowError(tooLarge.code, tooLarge.message);
  const { form = '', ...reading } = answer;
  const config = agentConfig.safeParse(context.config);
  if (!config.success) {
    const faults = schemaFaults(agentConfig, config.error.issues, context.config);
    throw new FlowError('config-invalid', `config: ${faults.join('\n  ')}`);
  }
  const task = {
    instructions: [role, context.prompt, system ?? '', form].filter((part) => part.trim() !== '').join('\n\n'),
    input: asJson(input),
    config: {
      ...config.data,
      ...(tools === undefined ? {} : { tools }),
      ...(model === undefined ? {} : { model }),
      ...(metadata === undefined ? {} : { metadata }),
    },
    ...reading,
  };
  return { result: await runAgent(task, context) };
}

function asText(text: string): { readonly result: string } {
  return { result: text.trim() };
}

/** Splits a reply into the first fenced block and the text around it. Without a fence the whole reply is code. */
function asCode(text: string): { readonly result: { readonly code: string; readonly notes: string } } {
  const open = /^```.*$/m.exec(text);
  if (open === null) return { result: { code: text.trim(), notes: '' } };
  const start = open.index + open[0].length + 1;
  const close = text.indexOf('\n```', start - 1);
  const end = close < 0 ? text.length : close;
  const notes = `${text.slice(0, open.index).trim()}\n${text.slice(end + 4).trim()}`.trim();
  return { result: { code: text.slice(start, end), notes } };
}

/** Asks for JSON of a schema, and extracts it from the surrounding text. */
function asJsonOf<Schema extends z.ZodType, Result>(
  schema: Schema,
  resultOf: (given: z.output<Schema>) => Result,
): Pick<AgentTask<Result>, 'read' | 'output'> & { readonly form: string } {
  const output = z.toJSONSchema(schema) as JsonObject; // JSON Schema is JSON.
  return {
    output,
    form: `Answer with nothing but JSON of this schema: ${JSON.stringify(output)}`,
    read(text) {
      try {
        const json: unknown = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
        const parsed = schema.safeParse(json);
        if (parsed.success) return { result: resultOf(parsed.data) };
      } catch {
        // Reported below, like any other invalid answer.
      }
      return 'This is no JSON of the schema. Answer again, with nothing else.';
    },
  };
}

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, '')
    .replaceAll(/^["'`]+|["'`]+$/g, '');
}
