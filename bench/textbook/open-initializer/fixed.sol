// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Treasury {
    address public owner;
    bool private initialized;

    constructor(address first) {
        owner = first;
        initialized = true;
    }

    function initialize(address newOwner) external {
        require(!initialized, "initialized");
        owner = newOwner;
        initialized = true;
    }

    receive() external payable {}

    function sweep(address payable to, uint256 amount) external {
        require(msg.sender == owner, "not owner");
        to.transfer(amount);
    }
}
