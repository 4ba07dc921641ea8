// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Desk {
    address public manager;
    uint256 public rate;

    constructor() {
        manager = msg.sender;
    }

    function hand(address next) external {
        require(msg.sender == manager, "manager");
        require(next != address(0), "nobody");
        manager = next;
    }

    function setRate(uint256 rate_) external {
        require(msg.sender == manager, "manager");
        rate = rate_;
    }
}
