import { defineConfig } from 'roomflow';

export default defineConfig({ flows: { 'add-tax': 'examples/lessons/08-subflow/add-tax.yaml' } });
