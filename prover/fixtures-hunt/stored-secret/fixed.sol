// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Hatch {
    uint256 public attempts;
    bytes32 private codeHash;
    bool public isOpen;

    constructor(bytes32 given) {
        codeHash = given;
    }

    function open(bytes32 guess) external {
        require(keccak256(abi.encode(guess)) == codeHash, "wrong");
        isOpen = true;
    }
}
