// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

contract BatchToken {
    uint256 public totalSupply;
    mapping(address => uint256) public balances;

    constructor(uint256 supply) {
        totalSupply = supply;
        balances[msg.sender] = supply;
    }

    function balanceOf(address who) external view returns (uint256) {
        return balances[who];
    }

    function transfer(address to, uint256 value) external returns (bool) {
        require(balances[msg.sender] >= value, "balance");
        balances[msg.sender] -= value;
        balances[to] += value;
        return true;
    }
}
