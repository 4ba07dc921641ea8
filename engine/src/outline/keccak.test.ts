import { expect, test } from 'vitest'
import { keccak256 } from './keccak.ts'

const hash = (text: string): string => keccak256(new TextEncoder().encode(text)).toString(16).padStart(64, '0')

test.each([
  ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
  ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ['Transfer(address,address,uint256)', 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'],
  ['eip1967.proxy.implementation', '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbd'],
])('the hash of %j', (text, expected) => {
  expect(hash(text)).toBe(expected)
})

test.each([
  [135, '34367dc248bbd832f4e3e69dfaac2f92638bd0bbd18f2912ba4ef454919cf446'],
  [136, 'a6c4d403279fe3e0af03729caada8374b5ca54d8065329a3ebcaeb4b60aa386e'],
  [137, 'd869f639c7046b4929fc92a4d988a8b22c55fbadb802c0c66ebcd484f1915f39'],
  [300, '5b7e0e47a96f32a88b4f14ca177982790807c40e1a105742ba0fc1babe1ef826'],
])('of %i letters, around the length of a block', (length, expected) => {
  expect(hash('a'.repeat(length))).toBe(expected)
})
