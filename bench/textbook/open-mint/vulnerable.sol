// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract RedeemableToken {
    string public name = "Redeemable";
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    address public issuer;

    constructor() payable {
        issuer = msg.sender;
    }

    function buy() external payable {
        balanceOf[msg.sender] += msg.value;
        totalSupply += msg.value;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount; // expect: unbacked-mint
        totalSupply += amount;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function redeem(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment");
    }
}
