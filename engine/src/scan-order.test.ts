/** A scan's result rests on what is scanned: not on the order of its files, nor on how many others there are. */
import { expect, test } from 'vitest'
import { scanFiles } from './index.ts'
import { Behaviour } from './ir/index.ts'
import { buildModel, type InputFile } from './model/index.ts'

const times = (count: number, write: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => write(i)).join('\n')

const base: InputFile = {
  path: 'Base.sol',
  text: `pragma solidity 0.8.28;
abstract contract Base {
  mapping(address => uint) internal balances;
  uint internal total;
  function hook(address who, uint amount) internal virtual { balances[who] += amount; }
  function settle(address who, uint amount) internal {
    ${times(12, (i) => `if (amount > ${i}) { total += amount - ${i}; hook(who, ${i}); }`)}
  }
}`,
}

/** A contract whose functions run the code of the base several times each. */
const vault = (i: number): InputFile => ({
  path: `Vault${i}.sol`,
  text: `pragma solidity 0.8.28;
import "./Base.sol";
contract Vault${i} is Base {
  function hook(address who, uint amount) internal override { balances[who] += amount * ${i + 1}; }
  ${times(
    4,
    (j) => `function pay${j}(uint amount) external {
    settle(msg.sender, amount); settle(msg.sender, amount + ${j}); settle(msg.sender, amount * 2);
    require(balances[msg.sender] >= amount, "The balance of the caller is less than the amount that is to be paid out");
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok, "The caller did not take the ether that was paid out to it");
    balances[msg.sender] -= amount;
  }`,
  )}
  ${times(20, (j) => `event Noted${j}(address indexed who, uint indexed amount, uint indexed round, string reason);`)}
}`,
})

const vaults = Array.from({ length: 40 }, (_, i) => vault(i))
const project = [base, ...vaults]

/** What is said of each file. */
const findingsByFile = (files: readonly InputFile[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    scanFiles(files).map(({ path, findings, advisories, diagnostics }) => [
      path,
      [
        ...[...findings, ...advisories].map(
          ({ line, column, detector, confidence, message }) => `${line}:${column} ${detector} ${confidence} ${message}`,
        ),
        ...diagnostics.map(({ code, line, message }) => `${line} ${code} ${message}`),
      ].sort(),
    ]),
  )

/** In an order of its own for each seed. */
const shuffled = (files: readonly InputFile[], seed: number): readonly InputFile[] => {
  let state = seed
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state
  }
  return files
    .map((file) => ({ file, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ file }) => file)
}

const whole = findingsByFile(project)

test('the project is larger than what used to be shared by all its files', () => {
  const behaviour = new Behaviour(buildModel(project))
  let operations = 0
  for (let part = behaviour.next(); part !== null; part = behaviour.next())
    for (const { ir } of part.functions) operations += ir.ops.length
  expect(operations).toBeGreaterThan(60_000)
  expect(whole.get('Vault0.sol')!.some((line) => line.includes('reentrancy'))).toBe(true)
})

test.each([
  ['reversed', [...project].reverse()],
  ['shuffled', shuffled(project, 1)],
  ['shuffled otherwise', shuffled(project, 2)],
])('%s, the files are reported the same', (_, files) => {
  expect(findingsByFile(files)).toEqual(new Map(files.map(({ path }) => [path, whole.get(path)])))
})

test('a half of the project is reported what the whole is reported of it', () => {
  for (const half of [vaults.slice(0, 20), vaults.slice(20)]) {
    const found = findingsByFile([base, ...half])
    for (const { path } of half) expect(found.get(path)).toEqual(whole.get(path))
  }
})

test('a file is reported no less in its project than alone with what it imports', () => {
  for (const file of [vaults[0]!, vaults[17]!, vaults[39]!]) {
    const alone = findingsByFile([file, base]).get(file.path)!
    expect(whole.get(file.path)).toEqual(expect.arrayContaining([...alone]))
  }
})
