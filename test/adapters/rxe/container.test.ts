import { describe, expect, it } from 'vitest';
import { neededPackages } from '../../../adapters/rxe/packages.ts';
import { readProjectFile } from '../../project/files.ts';

const recipe = readProjectFile('examples/container/Containerfile');

// `npm run container` builds and runs it; that takes minutes, and an engine
describe('the recipe of the container', () => {
  it('installs what the guest needs, and nothing that it does not', () => {
    const named = /^RUN apt-get .* --no-install-recommends (.*)$/m.exec(recipe)?.[1]?.split(' ') ?? [];
    expect(named.toSorted()).toEqual(Object.keys(neededPackages).toSorted());
  });
});
