import { anchorOf, sidebar, siteFolder } from '../pages.mjs';

export default {
  title: 'Roomflow',
  description: 'Declarative, durable conversation flows on LiveKit Agents.',
  srcDir: siteFolder('site-pages'),
  outDir: siteFolder('site'),
  cacheDir: siteFolder('site-cache'),
  // The folder of the host that the site is copied to.
  base: process.env.ROOMFLOW_SITE_BASE ?? '/',
  markdown: {
    // The pages are written for GitHub: headings have its anchors, and braces and `<name>` are text.
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    config: ({ renderer: { rules } }) => {
      const { text, code_inline: code, html_inline: html } = rules;
      rules.text = (...args) => text(...args).replaceAll('{{', '&#123;&#123;');
      rules.html_inline = (tokens, index, ...rest) =>
        /^<\/?(a|br|kbd|sub|sup)\b/.test(tokens[index].content)
          ? html(tokens, index, ...rest)
          : tokens[index].content.replaceAll('<', '&lt;');
      rules.code_inline = (tokens, index, ...rest) => {
        tokens[index].attrSet('v-pre', '');
        return code(tokens, index, ...rest);
      };
    },
  },
  // The search index is one file.
  vite: { build: { chunkSizeWarningLimit: 5000 } },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: sidebar(),
    outline: [2, 3],
  },
};
