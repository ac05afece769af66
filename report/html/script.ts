/**
 * The page's script: search and filters, one tab stop for the matrix, jumps between failures, light and dark. Without it the
 * page shows everything. It is kept as text, since it runs in a browser and nowhere else; test/report/html.slow.test.ts runs it
 * there.
 */
export const pageScript = String.raw`
'use strict';
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);

  // light, dark, or as the reader's system has it
  const themes = ['auto', 'light', 'dark'];
  const themeButton = one('#theme');
  let theme = 'auto';
  try { theme = localStorage.getItem('rdma-conform-theme') || 'auto'; } catch { /* a file may have no storage */ }
  const showTheme = () => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    themeButton.textContent = 'theme: ' + theme;
  };
  themeButton.hidden = false;
  themeButton.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    try { localStorage.setItem('rdma-conform-theme', theme); } catch { /* not kept then */ }
    showTheme();
  });
  showTheme();

  // search and filters
  const search = one('#search');
  const level = one('#level');
  const chips = all('.chip');
  const rules = all('details.rule');
  const cells = new Map(all('.matrix span > a').map((cell) => [cell.hash.slice(1), cell]));
  for (const [id, cell] of cells) {
    cell.title = id.replace('rule-', '') + ': ' + cell.className.replace(/.*c-/, '');
    cell.setAttribute('aria-label', cell.title);
  }
  const status = one('#shown');
  const chosen = () => new Set(chips.filter((c) => c.getAttribute('aria-pressed') === 'true').map((c) => c.dataset.verdict));
  const texts = new Map();
  const verdictOf = (rule) => rule.querySelector('b[class^=v-]').textContent;
  const levelOf = (rule) => rule.dataset.level ?? 'must';
  const textOf = (rule) => {
    if (!texts.has(rule)) texts.set(rule, rule.dataset.text ?? rule.textContent.toLowerCase());
    return texts.get(rule);
  };
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const verdicts = chosen();
    let shown = 0;
    for (const rule of rules) {
      const text = textOf(rule);
      const fits = words.every((word) => text.includes(word)) &&
        (verdicts.size === 0 || verdicts.has(verdictOf(rule))) &&
        (level.value === '' || level.value === levelOf(rule));
      rule.hidden = !fits;
      cells.get(rule.id)?.classList.toggle('off', !fits);
      if (fits) shown++;
    }
    for (const table of all('section.table, details.machine')) table.hidden = all('details.rule:not([hidden])', table).length === 0;
    const asked = words.length > 0 || verdicts.size > 0 || level.value !== '';
    for (const machine of all('details.machine')) if (asked) machine.open = !machine.hidden;
    status.textContent = shown === rules.length ? rules.length + ' rules' : shown + ' of ' + rules.length + ' rules';
  };
  if (search) {
    one('.controls').hidden = false;
    search.addEventListener('input', filter);
    level.addEventListener('change', filter);
    for (const chip of chips) chip.addEventListener('click', () => {
      chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'));
      filter();
    });
    filter();
  }

  // names of what the page holds lead there
  for (const names of all('[data-to]')) {
    const words = names.textContent.trim().split(', ');
    names.textContent = '';
    words.forEach((word, i) => {
      if (i > 0) names.append(', ');
      const id = names.dataset.to + '-' + word;
      if (document.getElementById(id) === null) return names.append(word);
      const link = document.createElement('a');
      link.href = '#' + id;
      link.append(word);
      names.append(link);
    });
  }

  // a link into something folded opens it
  const unfold = (target) => {
    for (let at = target; at !== null; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  };
  const reveal = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id === '' ? null : document.getElementById(id);
    if (target === null) return;
    if (target.hidden && search) {
      search.value = '';
      level.value = '';
      for (const chip of chips) chip.setAttribute('aria-pressed', 'false');
      filter();
    }
    unfold(target);
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href^="#"], a');
    const href = link?.getAttribute('href') ?? '';
    if (href !== '' && href === location.hash) reveal();
  });
  reveal();

  // paper cannot be opened: every cause is listed there, and what is new is shown in full
  let shut = [];
  addEventListener('beforeprint', () => {
    shut = all('details.impact, details.cause.new').filter((part) => !part.open);
    for (const part of shut) part.open = true;
  });
  addEventListener('afterprint', () => { for (const part of shut) part.open = false; });

  // one tab stop for all cells of the matrix; arrows move between them
  const order = [...cells.values()];
  order.forEach((cell, i) => { cell.tabIndex = i === 0 ? 0 : -1; });
  const row = (cell) => cell.closest('.line');
  one('.matrix')?.addEventListener('keydown', (event) => {
    const i = order.indexOf(document.activeElement);
    if (i < 0) return;
    const at = order[i];
    const rows = all('.matrix .line');
    const column = all('span > a', row(at)).indexOf(at);
    const inRow = (by) => {
      const cellsThere = all('span > a', rows[rows.indexOf(row(at)) + by] ?? row(at));
      return cellsThere[Math.min(column, cellsThere.length - 1)];
    };
    const next = { ArrowRight: () => order[i + 1], ArrowLeft: () => order[i - 1], ArrowDown: () => inRow(1),
      ArrowUp: () => inRow(-1), Home: () => order[0], End: () => order.at(-1) }[event.key]?.();
    if (next === undefined) return;
    event.preventDefault();
    at.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });

  // "/" to the search, n and p along the failures, Escape out of the search
  const failures = all('article.failure');
  let current = -1;
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '');
    if (event.key === 'Escape' && document.activeElement === search) {
      search.value = '';
      filter();
      search.blur();
    } else if (typing) return;
    else if (event.key === '/' && search) {
      event.preventDefault();
      search.focus();
      search.scrollIntoView({ block: 'center' });
    } else if ((event.key === 'n' || event.key === 'p') && failures.length > 0) {
      current = (current + (event.key === 'n' ? 1 : -1) + failures.length) % failures.length;
      unfold(failures[current]);
      failures[current].focus();
      failures[current].scrollIntoView();
    }
  });

  for (const command of all('.copy > pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'copy';
    command.after(button);
    button.addEventListener('click', async () => {
      const text = command.textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = 'copied';
      } catch {
        getSelection().selectAllChildren(command);
        button.textContent = 'selected';
      }
    });
  }
})();
`;
