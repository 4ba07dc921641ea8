// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Hatch {
    uint256 public attempts;
    bytes32 private code;
    bool public isOpen;

    constructor(bytes32 given) {
        code = given;
    }

    function open(bytes32 guess) external {
        require(guess == code, "wrong");
        isOpen = true;
    }
}
