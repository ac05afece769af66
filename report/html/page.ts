import { html, trusted, type Markup } from './markup.ts';
import { pageScript } from './script.ts';
import { pageStyle } from './style.ts';

export interface PageParts {
  title: string;
  /** heading and what is said of the run at once */
  head: Markup;
  /** parts with a heading each; empty ones are left out */
  /** other pages of the same set */
  links?: readonly { href: string; text: string }[];
  /** rules of style beside those of every page */
  style?: string;
  parts: readonly { id: string; title: string; short: string; body: Markup | undefined }[];
  footer: Markup;
}

/** The whole document, with style and script in it: it asks for nothing from elsewhere. */
export function page({ title, head, links = [], style = '', parts, footer }: PageParts): string {
  const shown = parts.flatMap(({ body, ...part }) => (body === undefined ? [] : [{ ...part, body }]));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${trusted(pageStyle + style)}
        </style>
      </head>
      <body>
        <a class="skip" href="#main">To the report</a>
        <nav class="bar" aria-label="Parts">
          <div>
            ${links.map(({ href, text }) => html`<a href="${href}">${text}</a>`)}
            ${shown.map(({ id, short }) => html`<a href="#${id}">${short}</a>`)}
            <button id="theme" type="button" hidden>theme</button>
          </div>
        </nav>
        <header class="top">${head}</header>
        <main id="main">
          ${shown.map(
            ({ id, title: heading, body }) =>
              html`<section id="${id}">
                <h2>${heading}</h2>
                ${body}
              </section> `,
          )}
        </main>
        <footer>${footer}</footer>
        <script>
          ${trusted(pageScript)};
        </script>
      </body>
    </html> `.text;
}
