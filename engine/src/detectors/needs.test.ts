/** A detector is not started where a scan has nothing of what it needs: that must never cost a finding. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Context, Trait, traitsOfFiles } from '../flow/index.ts'
import { buildModel } from '../model/index.ts'
import { detectors } from './index.ts'

const fixtureRoot = fileURLToPath(new URL('.', import.meta.url))

const contextOf = (text: string): Context => new Context(buildModel([{ path: 'contract.sol', text }]))

test('whoever is not started finds nothing when started all the same', () => {
  let spared = 0
  for (const file of readdirSync(fixtureRoot, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.sol')) continue
    const context = contextOf(readFileSync(path.join(fixtureRoot, file), 'utf8'))
    const ofFiles = traitsOfFiles(context.model)
    const traits = ofFiles | context.traits
    for (const { id, needs, read, run } of detectors) {
      if (needs === undefined) continue
      if (read !== undefined && (needs & ofFiles) === 0) {
        expect(read(context.model), `${id} in ${file}`).toEqual([])
        spared++
      }
      if (run !== undefined && (needs & traits) === 0) {
        expect(run(context), `${id} in ${file}`).toEqual([])
        spared++
      }
    }
  }
  expect(spared).toBeGreaterThan(1000)
})

const traitsOf = (text: string): number => {
  const { model, traits } = contextOf(text)
  return traitsOfFiles(model) | traits
}

test('traits tell what is there and nothing else', () => {
  expect(traitsOf('')).toBe(Trait.code | Trait.oldCompiler)
  expect(
    traitsOf('pragma solidity 0.8.28; contract A { function f() external { g(); } function g() internal {} }'),
  ).toBe(Trait.code | Trait.call)
  const busy = `pragma solidity 0.8.28; contract A is B {
    function f(address payable to) external payable { for (uint i; i < 3; i++) to.transfer(msg.value); }
    function g(address a) external { require(tx.origin == a); (bool ok, ) = a.delegatecall(""); delete x; }
  } contract B { uint x; }`
  expect(traitsOf(busy)).toBe(
    Trait.code |
      Trait.inheritance |
      Trait.payment |
      Trait.loop |
      Trait.value |
      Trait.origin |
      Trait.delegateCall |
      Trait.deletion |
      Trait.gasLimit |
      Trait.call |
      Trait.store |
      Trait.binary,
  )
})
