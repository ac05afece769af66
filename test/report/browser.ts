import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome-headless-shell',
];

const found = names.find((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
});

/** Why there is no browser here; undefined where there is one. */
export const browserMissing = found === undefined ? 'Chromium is not installed' : undefined;

interface Reply {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  sessionId?: string;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** A headless Chromium with one page, driven by its own protocol over a pipe: no port, no further package. */
export class Browser {
  private readonly process: ChildProcess;
  private readonly profile: string;
  private readonly toBrowser: Writable;
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private readonly listeners = new Set<(reply: Reply) => void>();
  private next = 1;
  private session = '';
  /** what the page complained about: uncaught errors, console.error, requests that failed, requests beyond the file */
  readonly complaints: string[] = [];

  private constructor(command: string) {
    this.profile = mkdtempSync(join(tmpdir(), 'rdma-conform-browser-'));
    const args = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--remote-debugging-pipe',
      `--user-data-dir=${this.profile}`,
      'about:blank',
    ];
    this.process = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.toBrowser = this.process.stdio[3] as Writable;
    let rest = '';
    (this.process.stdio[4] as Readable).on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString('utf8')).split('\0');
      rest = parts.pop() ?? '';
      for (const part of parts) this.hear(JSON.parse(part) as Reply);
    });
  }

  static async open(): Promise<Browser> {
    if (found === undefined) throw new Error(browserMissing);
    const browser = new Browser(found);
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    browser.session = String(sessionId);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await browser.send(`${domain}.enable`);
    return browser;
  }

  private hear(reply: Reply): void {
    if (reply.id !== undefined) {
      this.waiting.get(reply.id)?.(reply);
      this.waiting.delete(reply.id);
      return;
    }
    const text = JSON.stringify(reply.params);
    if (reply.method === 'Runtime.exceptionThrown') this.complaints.push(`exception: ${text}`);
    if (reply.method === 'Runtime.consoleAPICalled' && reply.params?.['type'] === 'error') {
      this.complaints.push(`console.error: ${text}`);
    }
    if (reply.method === 'Log.entryAdded') this.complaints.push(`log: ${text}`);
    if (reply.method === 'Network.requestWillBeSent' && !/"url":"(file|data|about):/.test(text)) {
      this.complaints.push(`request: ${text}`);
    }
    for (const listener of this.listeners) listener(reply);
  }

  async send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const id = this.next++;
    const reply = await new Promise<Reply>((resolve) => {
      this.waiting.set(id, resolve);
      const message = { id, method, params, ...(this.session !== '' && { sessionId: this.session }) };
      this.toBrowser.write(`${JSON.stringify(message)}\0`);
    });
    if (reply.error !== undefined) throw new Error(`${method}: ${reply.error.message}`);
    return reply.result ?? {};
  }

  /** Opens a page and waits until it is loaded. */
  async go(url: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => {
      const listener = ({ method }: Reply): void => {
        if (method !== 'Page.loadEventFired') return;
        this.listeners.delete(listener);
        resolve();
      };
      this.listeners.add(listener);
    });
    const { loaderId } = await this.send('Page.navigate', { url });
    // within one document, such as to another fragment, nothing is loaded
    if (loaderId !== undefined) await loaded;
  }

  /** Value of an expression in the page, as JSON carries it. */
  async evaluate<T>(expression: string): Promise<T> {
    const reply = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    const { result, exceptionDetails } = reply as { result: { value?: T }; exceptionDetails?: unknown };
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return result.value as T;
  }

  /** A key pressed and let go, by its name in KeyboardEvent.key; a character is typed. */
  async press(key: string): Promise<void> {
    const text = key.length === 1 ? { text: key } : {};
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, ...text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key });
  }

  async type(text: string): Promise<void> {
    await this.send('Input.insertText', { text });
  }

  /** A click in the middle of the first element that the selector fits. */
  async click(selector: string): Promise<void> {
    const place = await this.evaluate<{ x: number; y: number } | null>(
      `(() => { const e = document.querySelector(${JSON.stringify(selector)}); if (!e) return null;
        e.scrollIntoView({ block: 'center' }); const r = e.getBoundingClientRect();
        return { x: r.x + r.width / 2, y: r.y + r.height / 2 }; })()`,
    );
    if (place === null) throw new Error(`nothing fits ${selector}`);
    for (const type of ['mousePressed', 'mouseReleased']) {
      await this.send('Input.dispatchMouseEvent', { type, ...place, button: 'left', clickCount: 1 });
    }
  }

  /** Size of the window in CSS pixels, and the colour scheme that the reader's system asks for. */
  async look(width: number, height: number, scheme: 'light' | 'dark' = 'light'): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: width < 600,
    });
    await this.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: scheme }],
    });
  }

  /** What is to be seen now, as PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(String(data), 'base64');
  }

  async close(): Promise<void> {
    const gone = new Promise<void>((resolve) => this.process.once('exit', () => resolve()));
    this.process.kill();
    await gone;
    await removed(this.profile);
  }
}

/** Processes of the browser outlive it a little, and may still write into the folder while it is emptied. */
async function removed(folder: string, tries = 50): Promise<void> {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (tries === 1) throw error;
    await new Promise((next) => setTimeout(next, 100));
    await removed(folder, tries - 1);
  }
}
