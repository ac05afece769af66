import { resolve } from 'node:path';

/** Kernel series of Debian that the suite is run on itself. */
export const kernels = ['6.1', '6.12'] as const;
export type KernelSeries = (typeof kernels)[number];

/**
 * Which kernel a guest runs: the current one of a series of Debian; that of another suite of Debian, such as `stable-backports`, or the newest
 * of one of its series, such as `6.18`; a package of Debian; or one of this machine: a bzImage, or a folder that holds one with its modules,
 * such as a build tree of Linux. `modules`: where the modules lie if that cannot be known.
 */
export type KernelChoice =
  | { readonly kind: 'series'; readonly series: KernelSeries }
  | { readonly kind: 'suite'; readonly suite: string; readonly series?: string }
  | { readonly kind: 'package'; readonly name: string }
  | { readonly kind: 'path'; readonly path: string; readonly modules?: string };

/** Suites of Debian that have kernels of their own, and a series of one, such as `trixie-backports:6.18`. */
const suites = /^(stable|testing|unstable|sid|experimental|[a-z]+-backports)(?::(\d+\.\d+))?$/;

/**
 * The choice that `rxe:kernel=TEXT` means, or undefined where it means none. A path has a slash in it, or is `.` or `..`; it and `modules`
 * count from `directory`.
 */
export function kernelChoice(text: string, directory: string, modules?: string): KernelChoice | undefined {
  const series = kernels.find((known) => known === text);
  if (series !== undefined) return debianKernel(series);
  const [, suite, within] = suites.exec(text) ?? [];
  if (suite !== undefined) return { kind: 'suite', suite, ...(within !== undefined && { series: within }) };
  if (/^linux-image-[a-z0-9.+~-]+$/.test(text)) return { kind: 'package', name: text };
  if (!/\/|^\.{1,2}$/.test(text)) return undefined;
  const folder = modules === undefined ? {} : { modules: resolve(directory, modules) };
  return { kind: 'path', path: resolve(directory, text), ...folder };
}

/** The current kernel of a series of Debian. */
export function debianKernel(series: KernelSeries): KernelChoice {
  return { kind: 'series', series };
}

/** A kernel in words, before it runs and says its release itself. */
export function kernelInWords(choice: KernelChoice): string {
  switch (choice.kind) {
    case 'series':
      return choice.series;
    case 'suite':
      return [choice.suite, ...(choice.series === undefined ? [] : [choice.series])].join(' ');
    case 'package':
      return choice.name.replace(/^linux-image-/, '');
    case 'path':
      return choice.path;
  }
}
